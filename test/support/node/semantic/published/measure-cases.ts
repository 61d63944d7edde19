// Published cases with measures. Expected rows are those of the snapshot postgres-full.test.ts.snap.

import type { ProofRow } from "../proof-servers.ts";
import { granules, instant, ordered, type PublishedCase, type PublishedQuery, unordered } from "./rows.ts";

const YEAR: [string, string] = ["2020-01-01", "2020-12-31"];
const BIG_DATE = "BigECommerce.orderDate";

/** `[["Columbus", 12], …]` as rows of two members. */
const pairs = (key: string, measure: string, values: readonly (readonly [string, number])[]): ProofRow[] =>
  values.map(([of, value]) => ({ [key]: of, [measure]: value }));

const ONE_EACH =
  `Arlington, Auburn, Bakersfield, Baltimore, Bowling, Dallas, Decatur, Glendale, Houston, Lafayette, Lakewood, Lorain,
  Los Angeles, Louisville, Marion, Morristown, Oakland, Olympia, Omaha, Provo, Vancouver`.split(/,\s+/);

/** Quantities by product, of the whole year. */
const BY_PRODUCT: [string, number][] = [
  ["Anderson Hickey Conga Table Tops & Accessories", 2],
  ["Balt Solid Wood Rectangular Table", 2],
  ["Canon PC1080F Personal Copier", 7],
  ["DMI Eclipse Executive Suite Bookcases", 1],
  ["Global Adaptabilites Bookcase, Cherry/Storm Gray Finish", 8],
  ["Google Nexus 5", 11],
  ["Google Nexus 6", 3],
  ["Google Nexus 7", 3],
  ["HTC One", 3],
  ["Harbour Creations 67200 Series Stacking Chairs", 11],
  ["Hewlett Packard 610 Color Digital Copier / Printer", 3],
  ["Iceberg Nesting Folding Chair, 19w x 6d x 43h", 4],
  ["Kingston Digital DataTraveler 16GB USB 2.0", 5],
  ["Kingston Digital DataTraveler 16GB USB 2.1", 5],
  ["Kingston Digital DataTraveler 16GB USB 2.2", 8],
  ["Lexmark 20R1285 X6650 Wireless All-in-One Printer", 6],
  ["Linden 10 Round Wall Clock, Black", 14],
  ["Logitech di_Novo Edge Keyboard", 9],
  ["Magna Visual Magnetic Picture Hangers", 4],
  ["OIC #2 Pencils, Medium Soft", 9],
  ["Okidata C610n Printer", 2],
  ["Panasonic KP-380BK Classic Electric Pencil Sharpener", 8],
  ["Plymouth Boxed Rubber Bands by Plymouth", 11],
  ["Project Tote Personal File", 1],
  ["Recycled Eldon Regeneration Jumbo File", 4],
  ["Tyvek Side-Opening Peel & Seel Expanding Envelopes", 2],
  ["Vinyl Coated Wire Paper Clips in Organizer Box, 800/Box", 11],
  ["Wausau Papers Astrobrights Colored Envelopes", 3],
];

/** Quantities by month and product, products by their beginnings. */
const BY_MONTH_AND_PRODUCT: Record<string, [string, number][]> = {
  "2020-01-01": [
    ["Balt", 2],
    ["Linden", 4],
  ],
  "2020-02-01": [["Vinyl", 2]],
  "2020-03-01": [
    ["Canon", 5],
    ["Kingston Digital DataTraveler 16GB USB 2.2", 8],
  ],
  "2020-04-01": [["Linden", 3]],
  "2020-05-01": [
    ["Google Nexus 6", 3],
    ["Google Nexus 7", 3],
    ["OIC", 2],
    ["Plymouth", 5],
    ["Tyvek", 2],
  ],
  "2020-06-01": [
    ["DMI", 1],
    ["HTC", 3],
    ["Kingston Digital DataTraveler 16GB USB 2.1", 5],
    ["OIC", 2],
    ["Plymouth", 6],
    ["Project", 1],
  ],
  "2020-09-01": [
    ["Global", 3],
    ["Harbour", 7],
    ["Lexmark", 4],
    ["OIC", 5],
    ["Vinyl", 5],
    ["Wausau", 3],
  ],
  "2020-10-01": [
    ["Anderson", 2],
    ["Global", 5],
    ["Linden", 2],
    ["Magna", 2],
  ],
  "2020-11-01": [
    ["Google Nexus 5", 11],
    ["Harbour", 4],
    ["Hewlett", 3],
    ["Linden", 5],
    ["Logitech", 9],
    ["Panasonic", 3],
    ["Recycled", 4],
    ["Vinyl", 4],
  ],
  "2020-12-01": [
    ["Canon", 2],
    ["Iceberg", 4],
    ["Kingston Digital DataTraveler 16GB USB 2.0", 5],
    ["Lexmark", 2],
    ["Magna", 2],
    ["Okidata", 2],
    ["Panasonic", 5],
  ],
};

const productOf = (beginning: string): string => BY_PRODUCT.find(([name]) => name.startsWith(beginning))![0];
const quantitiesByMonth = (cube: string): ProofRow[] =>
  Object.entries(BY_MONTH_AND_PRODUCT).flatMap(([month, list]) =>
    granules(
      `${cube}.orderDate`,
      "month",
      list.map(([beginning, quantity]) => [
        month,
        { [`${cube}.productName`]: productOf(beginning), [`${cube}.totalQuantity`]: quantity },
      ]),
    ),
  );
/** Published with a key of its order between the two that is no member of the query: Cube drops it in silence. */
const partitioned = (cube: string, granularity: string): PublishedQuery => ({
  dimensions: [`${cube}.productName`],
  measures: [`${cube}.totalQuantity`],
  timeDimensions: [{ dimension: `${cube}.orderDate`, granularity }],
  order: [
    [`${cube}.orderDate`, "asc"],
    [`${cube}.productName`, "asc"],
  ],
});

/** Orders by day, and how many where they are two; each is completed on the next day, but 2020-10-30's. */
const DAYS = `01-01 01-23 02-16 03-17 03-26 04-10 05-13 05-14*2 05-27 05-29 06-03 06-10 06-11 06-15 06-17 06-25*2 09-01
  09-02 09-08 09-17*2 09-23 10-12 10-19*2 10-30 11-02 11-05 11-06 11-11 11-12 11-16*2 11-21 11-28 12-01 12-02 12-04
  12-14*2 12-24 12-25`.split(/\s+/);

export const MEASURE_CASES: readonly PublishedCase[] = [
  ordered(
    "querying ECommerce: count by cities + order",
    {
      dimensions: ["ECommerce.city"],
      measures: ["ECommerce.count"],
      order: [
        ["ECommerce.count", "desc"],
        ["ECommerce.city", "asc"],
      ],
    },
    pairs("ECommerce.city", "ECommerce.count", [
      ["Columbus", 12],
      ["New York City", 5],
      ["Detroit", 2],
      ["Philadelphia", 2],
      ["San Francisco", 2],
      ...ONE_EACH.map((city) => [city, 1] as const),
    ]),
  ),
  ordered(
    "querying ECommerce: total sales, total profit by month + order (date) + total -- doesn't work with the BigQuery",
    {
      timeDimensions: [{ dimension: "ECommerce.orderDate", granularity: "month" }],
      measures: ["ECommerce.totalSales", "ECommerce.totalProfit"],
      order: [["ECommerce.orderDate", "asc"]],
    },
    granules(
      "ECommerce.orderDate",
      "month",
      (
        [
          ["2020-01-01", 259.876, 29.6548],
          ["2020-02-01", 18.368, 6.1992],
          ["2020-03-01", 2471.56, 583.5945],
          ["2020-04-01", 36.672, 6.4176],
          ["2020-05-01", 1288.21, 353.6849],
          ["2020-06-01", 728.734, 34.2361],
          ["2020-09-01", 2340.872, 461.1332],
          ["2020-10-01", 2219.468, 139.997],
          ["2020-11-01", 5573.922, 1132.6617],
          ["2020-12-01", 2434.222, 303.9737],
        ] as const
      ).map(([at, sales, profit]) => [at, { "ECommerce.totalSales": sales, "ECommerce.totalProfit": profit }]),
    ),
    10,
  ),
  ordered(
    "querying ECommerce: partitioned pre-agg",
    partitioned("ECommerce", "month"),
    quantitiesByMonth("ECommerce"),
    42,
  ),
  ordered(
    "querying ECommerce: partitioned pre-agg higher granularity",
    partitioned("ECommerce", "year"),
    granules(
      "ECommerce.orderDate",
      "year",
      BY_PRODUCT.map(([name, quantity]) => [
        "2020-01-01",
        { "ECommerce.productName": name, "ECommerce.totalQuantity": quantity },
      ]),
    ),
    28,
  ),
  ordered(
    "querying BigECommerce: partitioned pre-agg",
    partitioned("BigECommerce", "month"),
    quantitiesByMonth("BigECommerce"),
  ),
  ordered(
    "querying BigECommerce: partitioned pre-agg with multi time dimension",
    {
      measures: ["BigECommerce.count"],
      timeDimensions: [
        { dimension: "BigECommerce.completedDate", granularity: "day" },
        { dimension: BIG_DATE, granularity: "day" },
      ],
      order: [
        ["BigECommerce.completedDate", "asc"],
        [BIG_DATE, "asc"],
        ["BigECommerce.count", "asc"],
      ],
    },
    DAYS.map((text) => {
      const [day, count = "1"] = text.split("*") as [string, string?];
      const next = new Date(Date.parse(`2020-${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
      const completed = instant(day === "10-30" ? "2020-11-01" : next);
      return {
        "BigECommerce.completedDate": completed,
        "BigECommerce.completedDate.day": completed,
        [BIG_DATE]: instant(`2020-${day}`),
        [`${BIG_DATE}.day`]: instant(`2020-${day}`),
        "BigECommerce.count": Number(count),
      };
    }),
  ),
  unordered(
    "querying BigECommerce: null sum",
    {
      measures: ["BigECommerce.totalSales"],
      filters: [{ member: "BigECommerce.id", operator: "equals", values: ["8958"] }],
    },
    [{ "BigECommerce.totalSales": null }],
  ),
  unordered(
    "querying BigECommerce: null boolean",
    {
      dimensions: ["BigECommerce.returning"],
      filters: [{ member: "BigECommerce.id", operator: "equals", values: ["8958"] }],
    },
    [{ "BigECommerce.returning": null }],
  ),
  ordered(
    "querying BigECommerce: filtering with possible casts",
    {
      measures: ["BigECommerce.totalSales"],
      filters: [
        { member: "BigECommerce.sales", operator: "gte", values: ["10"] },
        { member: "BigECommerce.returning", operator: "equals", values: ["true"] },
      ],
      timeDimensions: [{ dimension: BIG_DATE, granularity: "month", dateRange: YEAR }],
      order: [[BIG_DATE, "asc"]],
    },
    granules(BIG_DATE, "month", [
      ["2020-01-01", { "BigECommerce.totalSales": 48.896 }],
      ["2020-12-01", { "BigECommerce.totalSales": 232.88 }],
    ]),
  ),
];
