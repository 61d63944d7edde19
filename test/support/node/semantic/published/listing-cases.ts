// Published cases that list rows of a table: filters, orders, limits, totals. Expected rows are those of the snapshot
// postgres-full.test.ts.snap, by their keys.

import {
  CUSTOMER,
  customers,
  ORDER,
  orders,
  PRODUCT,
  products,
  upTo,
  type PublishedCase,
  type PublishedQuery,
} from "./rows.ts";

const CUSTOMERS = upTo(41);
/** By category, sub-category and name. */
const PRODUCTS = [2, 3, 4, 5, 6, 7, 0, 1, 8, 9, 12, 13, 15, 14, 10, 11, 17, 18, 19, 16, 24, 25, 26, 27, 20, 21, 22, 23];
const ORDERS = [
  523, 849, 1013, 1494, 1995, 2329, 2455, 2595, 2655, 2661, 2952, 3059, 3060, 3083, 3448, 3717, 3934, 4012, 4031, 4161,
  4227, 4882, 5220, 5277, 6125, 6205, 6272, 6459, 6651, 7174, 7293, 7310, 7425, 7698, 8425, 8621, 8673, 8697, 8878,
  8958, 9473, 9584, 9618, 9619,
];
/** By name: 1, 10, 11, … 19, 2, 20, … */
const BY_NAME = [...CUSTOMERS].sort((a, b) => (String(a) < String(b) ? -1 : 1));
const ENDING_IN_0 = [2, 4, 6, 7, 8, 9, 13, 16, 17, 18, 20, 21, 22, 23, 24, 25, 26, 29, 32, 34, 35, 38, 41];

const NAME_ORDER: PublishedQuery["order"] = [["Customers.customerName", "asc"]];
const PRODUCT_ORDER: PublishedQuery["order"] = PRODUCT.map((member) => [member, "asc"]);
const ROW_ORDER: PublishedQuery["order"] = [["ECommerce.rowId", "asc"]];
/** What a query of dimensions without an order is put in. */
const DEFAULT_ORDER: PublishedQuery["order"] = [["ECommerce.rowId", "asc"]];

type Listed = Omit<PublishedQuery, "dimensions"> & { ids: number[]; total?: number };

function listing(
  what: string,
  dimensions: string[],
  rowsOf: (ids: readonly number[]) => PublishedCase["rows"],
  cases: Record<string, Listed>,
): PublishedCase[] {
  return Object.entries(cases).map(([name, { ids, total, ...query }]) => ({
    name: `${name.startsWith("querying") ? name : `filtering ${what}: ${name}`}`,
    query: { dimensions, ...query },
    rows: rowsOf(ids),
    ordered: query.order !== undefined,
    ...(total !== undefined && { total }),
  }));
}

const filtered = (
  member: string,
  operator: string,
  lists: Record<string, [values: string[], ids: number[]]>,
  more: Partial<Listed> = {},
): Record<string, Listed> =>
  Object.fromEntries(
    Object.entries(lists).map(([name, [values, ids]]) => [
      name,
      { filters: [{ member, operator, values }], ids, ...more },
    ]),
  );

const without = (ids: readonly number[]): number[] => CUSTOMERS.filter((number) => !ids.includes(number));

const CUSTOMER_CASES = listing("Customers", CUSTOMER, customers, {
  "querying Customers: dimensions": { ids: CUSTOMERS },
  "querying Customers: dimensions + order": { order: [["Customers.customerId", "asc"]], ids: CUSTOMERS },
  "querying Customers: dimensions + limit": { order: [["Customers.customerId", "asc"]], limit: 10, ids: upTo(10) },
  "querying Customers: dimensions + total": { ids: CUSTOMERS, total: 41 },
  "querying Customers: dimensions + order + limit + total": {
    order: NAME_ORDER,
    limit: 10,
    ids: BY_NAME.slice(0, 10),
    total: 41,
  },
  "querying Customers: dimensions + order + total + offset": { order: NAME_ORDER, offset: 40, ids: [9], total: 41 },
  "querying Customers: dimensions + order + limit + total + offset": {
    order: NAME_ORDER,
    limit: 10,
    offset: 10,
    ids: [19, 2, 20, 21, 22, 23, 24, 25, 26, 27],
    total: 41,
  },
  ...filtered("Customers.customerName", "contains", {
    "contains + dimensions, first": [["tom"], CUSTOMERS],
    "contains + dimensions, second": [["us", "om"], CUSTOMERS],
    "contains + dimensions, third": [["non"], []],
  }),
  ...filtered("Customers.customerId", "endsWith", {
    "endsWith filter + dimensions, first": [["0"], ENDING_IN_0],
    "endsWith filter + dimensions, second": [["0", "5"], CUSTOMERS],
    "endsWith filter + dimensions, third": [["9"], []],
  }),
  ...filtered("Customers.customerId", "notEndsWith", {
    "notEndsWith filter + dimensions, first": [["0"], without(ENDING_IN_0)],
    "notEndsWith filter + dimensions, second": [["0", "5"], []],
    "notEndsWith filter + dimensions, third": [["9"], CUSTOMERS],
  }),
  ...filtered("Customers.customerId", "startsWith", {
    "startsWith + dimensions, first": [["A"], upTo(4)],
    "startsWith + dimensions, second": [["A", "B"], upTo(10)],
    "startsWith + dimensions, third": [["Z"], []],
  }),
  ...filtered("Customers.customerId", "notStartsWith", {
    "notStartsWith + dimensions, first": [["A"], upTo(41, 5)],
    "notStartsWith + dimensions, second": [["A", "B"], upTo(41, 11)],
    "notStartsWith + dimensions, third": [["Z"], CUSTOMERS],
  }),
});

const PRODUCT_CASES = listing("Products", PRODUCT, products, {
  "querying Products: dimensions -- doesn't work wo ordering": { ids: PRODUCTS },
  "querying Products: dimensions + order": { order: PRODUCT_ORDER, ids: PRODUCTS },
  "querying Products: dimensions + order + limit": { order: PRODUCT_ORDER, limit: 10, ids: PRODUCTS.slice(0, 10) },
  "querying Products: dimensions + order + total": { order: PRODUCT_ORDER, ids: PRODUCTS, total: 28 },
  "querying Products: dimensions + order + limit + total": {
    order: PRODUCT_ORDER,
    limit: 10,
    ids: PRODUCTS.slice(0, 10),
    total: 28,
  },
  ...filtered(
    "Products.subCategory",
    "contains",
    {
      "contains + dimensions + order, first": [["able"], [0, 1]],
      "contains + dimensions + order, second": [
        ["able", "urn"],
        [6, 7, 0, 1],
      ],
      "contains + dimensions + order, third": [["notexist"], []],
    },
    { order: PRODUCT_ORDER },
  ),
  ...filtered(
    "Products.productName",
    "startsWith",
    {
      "startsWith filter + dimensions + order, first": [["O"], [8, 27]],
      "startsWith filter + dimensions + order, second": [
        ["O", "K"],
        [8, 17, 18, 19, 27],
      ],
      "startsWith filter + dimensions + order, third": [["noneexist"], []],
    },
    { order: PRODUCT_ORDER },
  ),
  ...filtered(
    "Products.subCategory",
    "endsWith",
    {
      "endsWith filter + dimensions + order, first": [
        ["es"],
        [2, 3, 0, 1, 12, 13, 17, 18, 19, 16, 26, 27, 20, 21, 22, 23],
      ],
      "endsWith filter + dimensions + order, second": [
        ["es", "gs"],
        [2, 3, 6, 7, 0, 1, 12, 13, 17, 18, 19, 16, 26, 27, 20, 21, 22, 23],
      ],
      "endsWith filter + dimensions + order, third": [["noneexist"], []],
    },
    { order: PRODUCT_ORDER },
  ),
});

const ORDER_CASES = listing("ECommerce", ORDER, orders, {
  "querying ECommerce: dimensions": { ids: ORDERS },
  "querying ECommerce: dimensions + order": { order: ROW_ORDER, ids: ORDERS },
  "querying ECommerce: dimensions + limit": { order: DEFAULT_ORDER, limit: 10, ids: ORDERS.slice(0, 10) },
  "querying ECommerce: dimensions + total": { ids: ORDERS, total: 44 },
  "querying ECommerce: dimensions + order + limit + total": {
    order: ROW_ORDER,
    limit: 10,
    ids: ORDERS.slice(0, 10),
    total: 44,
  },
  "querying ECommerce: dimensions + order + total + offset": { order: ROW_ORDER, offset: 43, ids: [9619], total: 44 },
  "querying ECommerce: dimensions + order + limit + total + offset": {
    order: ROW_ORDER,
    limit: 10,
    offset: 10,
    ids: ORDERS.slice(10, 20),
    total: 44,
  },
  ...filtered("ECommerce.subCategory", "contains", {
    "contains dimensions, first": [["able"], [523, 3060]],
    "contains dimensions, second": [
      ["able", "urn"],
      [523, 849, 1494, 3059, 3060, 6205, 7425, 8621],
    ],
    "contains dimensions, third": [["notexist"], []],
  }),
  ...filtered("ECommerce.customerId", "startsWith", {
    "startsWith + dimensions, first": [["A"], [2655, 3934, 4161, 6459]],
    "startsWith + dimensions, second": [
      ["A", "B"],
      [2595, 2655, 3934, 4161, 6272, 6459, 6651, 7425, 7698, 9618, 9619],
    ],
    "startsWith + dimensions, third": [["Z"], []],
  }),
  ...filtered("ECommerce.orderId", "endsWith", {
    "endsWith + dimensions, first": [["0"], [6205, 8958]],
    "endsWith + dimensions, second": [
      ["1", "2"],
      [523, 1494, 2329, 2661, 3059, 3060, 3934, 4012, 6125, 6459, 7310, 8425],
    ],
    "endsWith + dimensions, third": [["Z"], []],
  }),
});

const SPECIAL_CASE: PublishedCase = {
  name: "filtering Products: contains with special chars + dimensions",
  query: {
    dimensions: ["Products.productName"],
    filters: [{ member: "Products.productName", operator: "contains", values: ["di_Novo"] }],
  },
  rows: [{ "Products.productName": "Logitech di_Novo Edge Keyboard" }],
  ordered: false,
};

export const LISTING_CASES: readonly PublishedCase[] = [
  ...CUSTOMER_CASES,
  ...PRODUCT_CASES,
  SPECIAL_CASE,
  ...ORDER_CASES,
];
