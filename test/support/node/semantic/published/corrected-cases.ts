// Published cases of custom granularities, whose published rows can't be true of their own data: Cube reckons months of
// 30.4 days there, by the clock of the day its snapshots were taken on. The order of 2020-01-01 is published in the
// half-year before it, that of 2020-04-10 before the 1st of April, and with a pre-aggregation all orders from February
// to June in July. Here each order is in the granule that holds its day.

import type { ProofRow } from "../proof-servers.ts";
import { findNamed } from "../proof-model.ts";
import { PUBLISHED_TABLES } from "./data.ts";
import { granules, type PublishedCase } from "./rows.ts";

const YEAR: [string, string] = ["2020-01-01", "2020-12-31"];

/** Where the granules of 2020 begin. */
const STARTS: Record<string, string[]> = {
  half_year: ["2020-01-01", "2020-07-01"],
  half_year_by_1st_april: ["2019-10-01", "2020-04-01", "2020-10-01"],
};

type Grouped = { time: string; granularity: string; measure: "count" | "totalQuantity"; by?: [string, string] };

/** Orders of each granule, or of each of its groups, in their order. */
function reckoned({ time, granularity, measure, by }: Grouped): ProofRow[] {
  const starts = STARTS[granularity]!;
  const groups = new Map<string, { start: string; of: string; value: number }>();
  for (const row of findNamed(PUBLISHED_TABLES, "ecommerce").rows) {
    const start = starts.findLast((each) => each <= String(row["order_date"]).slice(0, 10))!;
    const of = by ? String(row[by[1]]) : "";
    const group = groups.get(`${start} ${of}`) ?? { start, of, value: 0 };
    group.value += measure === "count" ? 1 : Number(row["quantity"]);
    groups.set(`${start} ${of}`, group);
  }
  const sorted = [...groups.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
  return granules(
    time,
    granularity,
    sorted.map(({ start, of, value }) => [
      start,
      { [`ECommerce.${measure}`]: value, ...(by && { [`ECommerce.${by[0]}`]: of }) },
    ]),
  );
}

function corrected(name: string, grouped: Grouped): PublishedCase {
  const { time, granularity, measure, by } = grouped;
  const member = by && `ECommerce.${by[0]}`;
  return {
    name: `querying custom granularities ${name}`,
    query: {
      measures: [`ECommerce.${measure}`],
      timeDimensions: [{ dimension: time, granularity, dateRange: YEAR }],
      ...(member && {
        dimensions: [member],
        order: [
          [time, "asc"],
          [member, "asc"],
        ],
      }),
    },
    rows: reckoned(grouped),
    ordered: by !== undefined,
  };
}

const CUSTOM = "ECommerce.customOrderDateNoPreAgg";
const PLAIN = "ECommerce.orderDate";

export const CORRECTED_CASES: readonly PublishedCase[] = [
  ...Object.keys(STARTS).flatMap((granularity) => [
    corrected(`ECommerce: count by ${granularity} + no dimension`, { time: CUSTOM, granularity, measure: "count" }),
    corrected(`ECommerce: count by ${granularity} + dimension`, {
      time: CUSTOM,
      granularity,
      measure: "count",
      by: ["city", "city"],
    }),
  ]),
  corrected("(with preaggregation) ECommerce: totalQuantity by half_year + no dimension", {
    time: PLAIN,
    granularity: "half_year",
    measure: "totalQuantity",
  }),
  corrected("(with preaggregation) ECommerce: totalQuantity by half_year + dimension", {
    time: PLAIN,
    granularity: "half_year",
    measure: "totalQuantity",
    by: ["productName", "product_name"],
  }),
];
