// The sample's tables: a shop that grows from 2024 to mid-2026, busiest before Christmas. Every time the rows are the
// same.

import type { LakeColumn } from "../../../../kernel/lake/lake.ts";

export type SampleTable = {
  name: string;
  columns: LakeColumn[];
  /** The rows' query. It may read the tables before this one, under their names. */
  select: string;
};

/** `name type`, or `name type null`; field ids in order. */
const columns = (...spelled: string[]): LakeColumn[] =>
  spelled.map((column, i) => {
    const [name, type, nullable] = column.split(" ") as [string, string, string?];
    return { id: i + 1, name, type, nullable: nullable !== undefined, children: [] };
  });

/** A number in [0, 1) that depends on nothing but `of` and `what`. */
const chance = (of: string, what: string): string => `(hash(${of}, '${what}') % 1000003) / 1000003.0::DOUBLE`;

/** One of `words`, the first more often than the last. */
const pick = (words: string[], of: string, what: string): string =>
  `[${words.map((word) => `'${word}'`).join(", ")}][1 + floor(pow(${chance(of, what)}, 1.6) * ` +
  `${words.length})::INTEGER]`;

const FIRST_NAMES = [
  "Anna",
  "Emil",
  "Ida",
  "Noah",
  "Sofia",
  "Lars",
  "Mia",
  "Oskar",
  "Clara",
  "Jonas",
  "Freya",
  "Hugo",
  "Nora",
  "Elias",
  "Astrid",
  "Leo",
  "Maya",
  "Felix",
  "Ines",
  "Tomas",
];
const LAST_NAMES = [
  "Berg",
  "Hansen",
  "Lind",
  "Novak",
  "Moreau",
  "Rossi",
  "Weber",
  "Silva",
  "Kowalski",
  "Olsen",
  "Jensen",
  "Costa",
  "Meyer",
  "Dahl",
  "Vega",
  "Haas",
  "Virtanen",
  "Nagy",
  "Byrne",
  "Peeters",
];
const COUNTRIES = [
  "Norway",
  "Germany",
  "Sweden",
  "Denmark",
  "France",
  "Netherlands",
  "Finland",
  "Austria",
  "Switzerland",
  "Spain",
];
const CATEGORIES = ["Kitchen", "Garden", "Lighting", "Textiles", "Furniture", "Toys", "Office", "Outdoor"];
const MATERIALS = ["Oak", "Linen", "Steel", "Wool", "Cotton", "Ceramic", "Glass", "Bamboo", "Copper", "Leather"];
const THINGS = [
  "Lamp",
  "Chair",
  "Bowl",
  "Blanket",
  "Shelf",
  "Vase",
  "Kettle",
  "Planter",
  "Cushion",
  "Desk",
  "Basket",
  "Mug",
];

const CUSTOMERS = `
  SELECT i AS customer_id, first || ' ' || last AS name,
    CASE WHEN ${chance("i", "no email")} > 0.03 THEN lower(first || '.' || last) || i || '@example.com' END AS email,
    country, CASE WHEN country IN ('Norway', 'Sweden', 'Denmark', 'Finland') THEN 'Nordics'
      WHEN country IN ('Germany', 'Austria', 'Switzerland') THEN 'DACH' ELSE 'Rest of Europe' END AS region,
    ${pick(["consumer", "small business", "enterprise"], "i", "segment")} AS segment,
    TIMESTAMPTZ '2023-07-01 00:00:00+00' + to_seconds((pow(i / 20000.0, 0.8) * 94608000)::BIGINT) AS signed_up_at,
    CASE WHEN ${chance("i", "no birthday")} > 0.25
      THEN DATE '1950-01-01' + (${chance("i", "birthday")} * 20000)::INTEGER END AS born_on,
    ${chance("i", "newsletter")} < 0.4 AS newsletter
  FROM (SELECT i, ${pick(FIRST_NAMES, "i", "first name")} AS first, ${pick(LAST_NAMES, "i", "last name")} AS last,
    ${pick(COUNTRIES, "i", "country")} AS country
    FROM range(1, 20001) AS t(i)) ORDER BY i`;

const PRODUCTS = `
  SELECT i AS product_id, format('SKU-{:05d}', i) AS sku,
    ${pick(MATERIALS, "i", "material")} || ' ' || ${pick(THINGS, "i", "thing")} || ' ' || i AS name,
    ${pick(CATEGORIES, "i", "category")} AS category, price,
    (price * (0.35 + 0.3 * ${chance("i", "cost")}))::DECIMAL(10, 2) AS cost,
    DATE '2023-06-01' + (${chance("i", "introduced")} * 700)::INTEGER AS introduced_on,
    CASE WHEN ${chance("i", "discontinued")} < 0.08
      THEN DATE '2025-06-01' + (${chance("i", "discontinued on")} * 390)::INTEGER END AS discontinued_on
  FROM (SELECT i, (round(exp(1.6 + 3.6 * ${chance("i", "price")})) - 0.05)::DECIMAL(10, 2) AS price
    FROM range(1, 501) AS t(i)) ORDER BY i`;

/**
 * More moments are drawn than there are orders, and thinned by the month's and the hour's share: that gives the
 * seasons. Only customers who had signed up by then order; `signed_up` is how many those are.
 */
const ORDERS = `
  SELECT row_number() OVER (ORDER BY moment, i)::BIGINT AS order_id,
    1 + floor(pow(${chance("i", "customer")}, 1.5) * signed_up)::BIGINT AS customer_id, moment AS ordered_at,
    CASE WHEN fate < 0.04 THEN 'cancelled' WHEN moment > TIMESTAMPTZ '2026-06-20 00:00:00+00' THEN 'processing'
      WHEN fate < 0.10 THEN 'returned' ELSE 'delivered' END AS status,
    ${pick(["web", "app", "store", "marketplace"], "i", "channel")} AS channel,
    CASE WHEN ${chance("i", "coupon")} < 0.12
      THEN ${pick(["WELCOME10", "SUMMER", "BLACKWEEK", "FRIENDS"], "i", "which coupon")} END AS coupon,
    CASE WHEN ${chance("i", "free shipping")} < 0.3 THEN 0
      ELSE [4.90, 6.90, 9.90][1 + floor(${chance("i", "shipping")} * 3)::INTEGER] END::DECIMAL(10, 2) AS shipping_fee,
    CASE WHEN fate >= 0.04 AND moment <= TIMESTAMPTZ '2026-06-20 00:00:00+00'
      THEN moment + to_seconds((3600 * (6 + 90 * ${chance("i", "shipped")}))::BIGINT) END AS shipped_at
  FROM (SELECT *,
    20000 * pow((epoch(moment) - epoch(TIMESTAMPTZ '2023-07-01 00:00:00+00')) / 94608000, 1.25) AS signed_up
    FROM (SELECT i, ${chance("i", "fate")} AS fate,
      TIMESTAMPTZ '2024-01-01 00:00:00+00' + to_seconds((pow(${chance("i", "ordered")}, 0.75) * 78710400)::BIGINT)
        AS moment
      FROM range(430000) AS t(i)))
  WHERE ${chance("i", "season")}
    < [0.50, 0.45, 0.52, 0.55, 0.60, 0.55, 0.48, 0.50, 0.60, 0.68, 0.92, 1.00][month(moment)]
    AND ${chance("i", "hour")}
    < [0.30, 0.20, 0.15, 0.15, 0.20, 0.40, 0.70, 0.95, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0.85, 0.55]
      [hour(moment) + 1]
  ORDER BY moment, i`;

const ORDER_ITEMS = `
  SELECT o.order_id, o.line, p.product_id, o.quantity, p.price AS unit_price,
    CASE WHEN o.coupon IS NULL THEN 0 ELSE round(p.price * o.quantity * 0.1, 2) END::DECIMAL(10, 2) AS discount
  FROM (SELECT order_id, coupon, line::INTEGER AS line,
    (1 + floor(pow(${chance("order_id * 16 + line", "quantity")}, 4) * 5))::INTEGER AS quantity,
    1 + floor(pow(${chance("order_id * 16 + line", "product")}, 1.4) * 500)::BIGINT AS product_id
    FROM (SELECT order_id, coupon, unnest(range(1, 2 + floor(${chance("order_id", "lines")} * 7)::BIGINT)) AS line
      FROM orders)) AS o
  JOIN products AS p USING (product_id) ORDER BY o.order_id, o.line`;

export const SAMPLE_TABLES: SampleTable[] = [
  {
    name: "customers",
    columns: columns(
      "customer_id int64",
      "name varchar",
      "email varchar null",
      "country varchar",
      "region varchar",
      "segment varchar",
      "signed_up_at timestamptz",
      "born_on date null",
      "newsletter boolean",
    ),
    select: CUSTOMERS,
  },
  {
    name: "products",
    columns: columns(
      "product_id int64",
      "sku varchar",
      "name varchar",
      "category varchar",
      "price decimal(10,2)",
      "cost decimal(10,2)",
      "introduced_on date",
      "discontinued_on date null",
    ),
    select: PRODUCTS,
  },
  {
    name: "orders",
    columns: columns(
      "order_id int64",
      "customer_id int64",
      "ordered_at timestamptz",
      "status varchar",
      "channel varchar",
      "coupon varchar null",
      "shipping_fee decimal(10,2)",
      "shipped_at timestamptz null",
    ),
    select: ORDERS,
  },
  {
    name: "order_items",
    columns: columns(
      "order_id int64",
      "line int32",
      "product_id int64",
      "quantity int32",
      "unit_price decimal(10,2)",
      "discount decimal(10,2)",
    ),
    select: ORDER_ITEMS,
  },
];
