// The data that Cube's own driver tests are run on (cube-js/cube, packages/cubejs-testing-drivers, src/dataset.ts).

import type { ProofTable } from "../proof-tables.ts";

/** In the order of their customers' numbers: the first is `Customer 1`. */
const CUSTOMERS = `AH-10465 AJ-10780 AS-10225 AW-10840 BB-11545 BF-11020 BF-11170 BM-11650 BS-11380 BS-11755 CA-12775
  CC-12475 CD-12280 CS-12355 DB-13405 DG-13300 DW-13480 EM-14140 GA-14725 GZ-14470 HH-15010 HK-14890 JH-15430 JO-15550
  JS-16030 JW-15220 KL-16555 KN-16705 LC-17050 LR-16915 MC-17605 MG-17650 ML-17755 MM-18280 NP-18670 PF-19165 SB-20185
  SS-20140 TB-21175 TS-21205 WB-21850`.split(/\s+/);

/** Category, sub-category, product. */
const PRODUCTS: [string, string, string][] = [
  ["Furniture", "Tables", "Anderson Hickey Conga Table Tops & Accessories"],
  ["Furniture", "Tables", "Balt Solid Wood Rectangular Table"],
  ["Furniture", "Bookcases", "DMI Eclipse Executive Suite Bookcases"],
  ["Furniture", "Bookcases", "Global Adaptabilites Bookcase, Cherry/Storm Gray Finish"],
  ["Furniture", "Chairs", "Harbour Creations 67200 Series Stacking Chairs"],
  ["Furniture", "Chairs", "Iceberg Nesting Folding Chair, 19w x 6d x 43h"],
  ["Furniture", "Furnishings", "Linden 10 Round Wall Clock, Black"],
  ["Furniture", "Furnishings", "Magna Visual Magnetic Picture Hangers"],
  ["Office Supplies", "Art", "OIC #2 Pencils, Medium Soft"],
  ["Office Supplies", "Art", "Panasonic KP-380BK Classic Electric Pencil Sharpener"],
  ["Office Supplies", "Storage", "Project Tote Personal File"],
  ["Office Supplies", "Storage", "Recycled Eldon Regeneration Jumbo File"],
  ["Office Supplies", "Envelopes", "Tyvek Side-Opening Peel & Seel Expanding Envelopes"],
  ["Office Supplies", "Envelopes", "Wausau Papers Astrobrights Colored Envelopes"],
  ["Office Supplies", "Fasteners", "Vinyl Coated Wire Paper Clips in Organizer Box, 800/Box"],
  ["Office Supplies", "Fasteners", "Plymouth Boxed Rubber Bands by Plymouth"],
  ["Technology", "Accessories", "Logitech di_Novo Edge Keyboard"],
  ["Technology", "Accessories", "Kingston Digital DataTraveler 16GB USB 2.0"],
  ["Technology", "Accessories", "Kingston Digital DataTraveler 16GB USB 2.1"],
  ["Technology", "Accessories", "Kingston Digital DataTraveler 16GB USB 2.2"],
  ["Technology", "Phones", "Google Nexus 5"],
  ["Technology", "Phones", "Google Nexus 6"],
  ["Technology", "Phones", "Google Nexus 7"],
  ["Technology", "Phones", "HTC One"],
  ["Technology", "Copiers", "Canon PC1080F Personal Copier"],
  ["Technology", "Copiers", "Hewlett Packard 610 Color Digital Copier / Printer"],
  ["Technology", "Machines", "Lexmark 20R1285 X6650 Wireless All-in-One Printer"],
  ["Technology", "Machines", "Okidata C610n Printer"],
];

type Order = [
  row: number,
  order: string,
  date: string,
  customer: string,
  city: string,
  /** Place in {@link PRODUCTS}. */
  product: number,
  sales: string,
  quantity: number,
  discount: string,
  profit: string,
];

const ORDERS: Order[] = [
  [3060, "CA-2017-131492", "2020-10-19", "HH-15010", "San Francisco", 0, "24.36800", 2, "0.20000", "-3.35060"],
  [523, "CA-2017-145142", "2020-01-23", "MC-17605", "Detroit", 1, "210.98000", 2, "0.00000", "21.09800"],
  [9584, "CA-2017-116127", "2020-06-25", "SB-20185", "New York City", 2, "400.78400", 1, "0.20000", "-5.00980"],
  [8425, "CA-2017-150091", "2020-10-12", "NP-18670", "Lakewood", 3, "2154.90000", 5, "0.00000", "129.29400"],
  [2655, "CA-2017-112515", "2020-09-17", "AS-10225", "Provo", 3, "1292.94000", 3, "0.00000", "77.57640"],
  [2952, "CA-2017-134915", "2020-11-12", "EM-14140", "Glendale", 4, "113.88800", 2, "0.20000", "9.96520"],
  [9473, "CA-2017-102925", "2020-11-05", "CD-12280", "New York City", 4, "128.12400", 2, "0.10000", "24.20120"],
  [5220, "CA-2017-145653", "2020-09-01", "CA-12775", "Detroit", 4, "498.26000", 7, "0.00000", "134.53020"],
  [4031, "CA-2017-124296", "2020-12-24", "CS-12355", "Lafayette", 5, "232.88000", 4, "0.00000", "60.54880"],
  [8621, "US-2017-119319", "2020-11-06", "LC-17050", "Dallas", 6, "30.56000", 5, "0.60000", "-19.86400"],
  [3059, "CA-2017-131492", "2020-10-19", "HH-15010", "San Francisco", 6, "30.56000", 2, "0.00000", "10.39040"],
  [7425, "CA-2017-135069", "2020-04-10", "BS-11755", "Philadelphia", 6, "36.67200", 3, "0.20000", "6.41760"],
  [849, "CA-2017-107503", "2020-01-01", "GA-14725", "Lorain", 6, "48.89600", 4, "0.20000", "8.55680"],
  [6205, "CA-2017-145660", "2020-12-01", "MG-17650", "Marion", 7, "7.71200", 2, "0.20000", "1.73520"],
  [1494, "CA-2017-139661", "2020-10-30", "JW-15220", "Vancouver", 7, "9.64000", 2, "0.00000", "3.66320"],
  [3934, "CA-2017-123001", "2020-09-02", "AW-10840", "Bakersfield", 8, "9.40000", 5, "0.00000", "2.72600"],
  [3448, "CA-2017-102554", "2020-06-11", "KN-16705", "Auburn", 8, "3.76000", 2, "0.00000", "1.09040"],
  [6459, "US-2017-133361", "2020-05-14", "AJ-10780", "Baltimore", 8, "3.76000", 2, "0.00000", "1.09040"],
  [6272, "CA-2017-102379", "2020-12-02", "BB-11545", "Oakland", 9, "179.90000", 5, "0.00000", "44.97500"],
  [9619, "CA-2017-160633", "2020-11-16", "BS-11380", "Bowling", 9, "86.35200", 3, "0.20000", "5.39700"],
  [1013, "CA-2017-118437", "2020-06-17", "PF-19165", "Olympia", 10, "14.03000", 1, "0.00000", "4.06870"],
  [4012, "CA-2017-100811", "2020-11-21", "CC-12475", "Philadelphia", 11, "39.29600", 4, "0.20000", "3.92960"],
  [2595, "CA-2017-149048", "2020-05-13", "BM-11650", "Columbus", 12, "180.96000", 2, "0.00000", "81.43200"],
  [2329, "CA-2017-138422", "2020-09-23", "KN-16705", "Columbus", 13, "14.35200", 3, "0.20000", "5.20260"],
  [4227, "CA-2017-120327", "2020-11-11", "WB-21850", "Columbus", 14, "45.92000", 4, "0.00000", "21.58240"],
  [6651, "US-2017-124779", "2020-09-08", "BF-11020", "Arlington", 14, "45.92000", 5, "0.20000", "15.49800"],
  [8673, "CA-2017-163265", "2020-02-16", "JS-16030", "Decatur", 14, "18.36800", 2, "0.20000", "6.19920"],
  [1995, "CA-2017-133648", "2020-06-25", "ML-17755", "Columbus", 15, "11.30400", 3, "0.20000", "-2.11950"],
  [7310, "CA-2017-112172", "2020-06-10", "MM-18280", "New York City", 15, "14.13000", 3, "0.00000", "0.70650"],
  [3717, "CA-2017-144568", "2020-05-29", "JO-15550", "Omaha", 15, "23.55000", 5, "0.00000", "1.17750"],
  [4882, "CA-2017-143567", "2020-11-02", "TB-21175", "Columbus", 16, "2249.91000", 9, "0.00000", "517.47930"],
  [5277, "CA-2017-147333", "2020-12-14", "KL-16555", "Columbus", 17, "44.75000", 5, "0.00000", "8.50250"],
  [6125, "CA-2017-145772", "2020-06-03", "SS-20140", "Los Angeles", 18, "44.75000", 5, "0.00000", "8.50250"],
  [2455, "CA-2017-140949", "2020-03-17", "DB-13405", "New York City", 19, "71.60000", 8, "0.00000", "13.60400"],
  [2661, "CA-2017-123372", "2020-11-28", "DG-13300", "Columbus", 20, "1979.89000", 11, "0.00000", "494.97250"],
  [3083, "US-2017-132297", "2020-05-27", "DW-13480", "Louisville", 21, "539.97000", 3, "0.00000", "134.99250"],
  [4161, "CA-2017-115546", "2020-05-14", "AH-10465", "New York City", 22, "539.97000", 3, "0.00000", "134.99250"],
  [8697, "CA-2017-119284", "2020-06-15", "TS-21205", "Columbus", 23, "239.97600", 3, "0.20000", "26.99730"],
  [7698, "CA-2017-151799", "2020-12-14", "BF-11170", "Columbus", 24, "1199.98000", 2, "0.00000", "467.99220"],
  [7174, "US-2017-141677", "2020-03-26", "HK-14890", "Houston", 24, "2399.96000", 5, "0.20000", "569.99050"],
  [9618, "CA-2017-160633", "2020-11-16", "BS-11380", "Columbus", 25, "899.98200", 3, "0.40000", "74.99850"],
  [8958, "CA-2017-105620", "2020-12-25", "JH-15430", "Columbus", 26, "120.00000", 2, "0.50000", "-7.20000"],
  [8878, "CA-2017-126928", "2020-09-17", "GZ-14470", "Morristown", 26, "480.00000", 4, "0.00000", "225.60000"],
  [7293, "CA-2017-109183", "2020-12-04", "LR-16915", "Columbus", 27, "649.00000", 2, "0.50000", "-272.58000"],
];

/** What the larger of the two tables of orders has otherwise. */
const BIG_SALES: Record<number, string | null> = { 8958: null, 8878: "600.00000" };
const BIG_RETURNING: Record<number, boolean | null> = { 8958: null, 4031: true, 849: true };
/** Orders are completed on the next day, all but one. */
const COMPLETED: Record<number, string> = { 1494: "2020-11-01" };

export const customerName = (id: string): string => `Customer ${CUSTOMERS.indexOf(id) + 1}`;

const orderRow = ([row, order, date, customer, city, product, sales, quantity, discount, profit]: Order) => {
  const [category, sub_category, product_name] = PRODUCTS[product]!;
  return {
    row_id: row,
    order_id: order,
    order_date: `${date} 00:00:00`,
    customer_id: customer,
    city,
    category,
    sub_category,
    product_name,
    sales,
    quantity,
    discount,
    profit,
  };
};

const ORDER_COLUMNS = {
  row_id: "integer",
  order_id: "text",
  order_date: "time",
  customer_id: "text",
  city: "text",
  category: "text",
  sub_category: "text",
  product_name: "text",
  sales: "decimal",
  quantity: "integer",
  discount: "decimal",
  profit: "decimal",
} as const;

const nextDay = (date: string): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);

export const PUBLISHED_TABLES: readonly ProofTable[] = [
  {
    name: "customers",
    columns: { customer_id: "text", customer_name: "text" },
    rows: CUSTOMERS.map((customer_id) => ({ customer_id, customer_name: customerName(customer_id) })),
  },
  {
    name: "products",
    columns: { category: "text", sub_category: "text", product_name: "text" },
    rows: PRODUCTS.map(([category, sub_category, product_name]) => ({ category, sub_category, product_name })),
  },
  { name: "ecommerce", columns: ORDER_COLUMNS, rows: ORDERS.map(orderRow) },
  {
    name: "bigecommerce",
    columns: { id: "integer", ...ORDER_COLUMNS, completed_date: "time", is_returning: "boolean" },
    rows: ORDERS.map((order) => {
      const [row, , date] = order;
      return {
        id: row,
        ...orderRow(order),
        completed_date: `${COMPLETED[row] ?? nextDay(date)} 00:00:00`,
        ...(row in BIG_SALES && { sales: BIG_SALES[row]! }),
        is_returning: row in BIG_RETURNING ? BIG_RETURNING[row]! : false,
      };
    }),
  },
];
