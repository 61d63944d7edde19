// The published cases that are not run here, each with its reason. The names are those of
// packages/cubejs-testing-drivers/src/tests/testQueries.ts.

const PRE_AGGREGATIONS = "builds pre-aggregations, which this product has none of";
const SQL_API = "asks in SQL over Cube's own PostgreSQL protocol, not with a query of the REST format";
const MULTI_STAGE = "needs a multi-stage measure, which models here may not have";
const CALENDAR = "needs a calendar cube and a time shift, which models here may not have";
const SWITCH = "needs a switch dimension, which models here may not have";
const NO_SNAPSHOT = "has no published rows: it is skipped on every database, or only wants an error now and then";
const NO_RANGE =
  "needs Cube's native planner: without a date range the other one has no granules to lay a rolling window over";
const ORIGIN =
  "is published with rows that its own data refutes: windows of a granularity with an origin count orders of the " +
  "month after it (the window up to 2020-02-01 10:00 is published with 3 orders; two were made before)";

export const LEFT_OUT: Readonly<Record<string, string>> = {
  "must built pre-aggregations": PRE_AGGREGATIONS,
  "must not fetch a hidden cube": "asks the Worker's meta, and is tested with it",
  "must throw if a hidden member was requested": "is refused by the Worker, and is tested with it",
  "querying ECommerce: total quantity, avg discount, total sales, total profit by product + order + total -- rounding in athena":
    NO_SNAPSHOT,
  "querying ECommerce: total quantity, avg discount, total sales, total profit by product + order + total -- noisy test":
    NO_SNAPSHOT,
  "querying BigECommerce: totalProfitYearAgo": MULTI_STAGE,
  "querying BigECommerce: multi-stage group by time dimension": MULTI_STAGE,
  "querying BigECommerce: SeveralMultiStageMeasures": MULTI_STAGE,
  "querying BigECommerce: two multi-stage branches sharing one pre-aggregation": MULTI_STAGE,
  "querying BigECommerce: base measure plus multi-stage over non-partitioned pre-aggregation": MULTI_STAGE,
  "querying BigECommerce with Retail Calendar: totalCountRetailYearAgo": CALENDAR,
  "querying BigECommerce with Retail Calendar: totalCountRetailMonthAgo": CALENDAR,
  "querying BigECommerce with Retail Calendar: totalCountRetailWeekAgo": CALENDAR,
  "Tesseract: querying BigECommerce with Retail Calendar: totalCountRetailMonthAgo": CALENDAR,
  "Tesseract: querying BigECommerce with Retail Calendar: totalCountRetailWeekAgo": CALENDAR,
  "querying SwitchSourceTest: simple cross join": SWITCH,
  "querying SwitchSourceTest: full cross join": SWITCH,
  "querying SwitchSourceTest: filter by switch dimensions": SWITCH,
  "querying custom granularities ECommerce: count by two_mo_by_feb + no dimension + rollingCountByUnbounded": ORIGIN,
  "querying custom granularities ECommerce: count by two_mo_by_feb + no dimension + rollingCountByTrailing": ORIGIN,
  "querying custom granularities ECommerce: count by two_mo_by_feb + no dimension + rollingCountByLeading": ORIGIN,
  "querying custom granularities ECommerce: count by two_mo_by_feb + no dimension + rollingCountByLeading without date range":
    ORIGIN,
  "querying BigECommerce: rolling window by 2 day without date range": NO_RANGE,
  "querying BigECommerce: rolling window by 2 month without date range": NO_RANGE,
  "querying BigECommerce: rolling window YTD without date range": NO_RANGE,
  "SQL API: every case": SQL_API,
};
