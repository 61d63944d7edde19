// Published cases that are refused in words here, where Cube answers with rows that can't be true of their own data.

import { OVERLAPPING_CASES } from "./rolling-cases.ts";
import type { PublishedQuery } from "./rows.ts";

export type RefusedCase = { name: string; query: PublishedQuery; words: RegExp };

const MIXED = "three_months_by_march";

/** Steps of three months, three days and three hours: published with an order of 2020-06-17 after 2020-06-18. */
const mixed = (name: string, more: PublishedQuery): RefusedCase => ({
  name: `querying custom granularities ECommerce: count by ${MIXED} + ${name}`,
  query: {
    measures: ["ECommerce.count"],
    timeDimensions: [
      { dimension: "ECommerce.customOrderDateNoPreAgg", granularity: MIXED, dateRange: ["2020-01-01", "2020-12-31"] },
    ],
    ...more,
  },
  words: /'3 month 3 days 3 hours' mixes months with days/,
});

export const REFUSED_CASES: readonly RefusedCase[] = [
  ...OVERLAPPING_CASES.map((each) => ({ ...each, words: /by week and by month: they overlap/ })),
  mixed("no dimension", {}),
  mixed("dimension", { dimensions: ["ECommerce.city"] }),
];
