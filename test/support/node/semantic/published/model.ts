// The model of Cube's driver tests (cube-js/cube, packages/cubejs-testing-drivers, fixtures/_schemas.json), each cube
// with its table, without pre-aggregations and without what needs Cube's native planner.

import type { SemanticModel } from "../../../../../kernel/semantic/model.ts";

const plain = (type: string, columns: Record<string, string>) =>
  Object.entries(columns).map(([name, sql]) => ({ name, sql, type }));

const GRANULARITIES = [
  { name: "half_year", interval: "6 months", origin: "2024-01-01" },
  { name: "half_year_by_1st_april", interval: "6 months", origin: "2024-04-01" },
  { name: "three_months_by_march", interval: "3 month 3 days 3 hours", origin: "2020-03-15" },
];

const MEASURES = [
  { name: "count", type: "count", sql: "customer_id" },
  { name: "totalQuantity", sql: "quantity", type: "sum" },
  { name: "avgDiscount", sql: "discount", type: "avg" },
  { name: "totalSales", sql: "sales", type: "sum" },
  { name: "totalProfit", sql: "profit", type: "sum" },
];

const TO_CUSTOMERS = [
  { name: "Customers", relationship: "many_to_one", sql: "{CUBE}.customer_id = {Customers}.customer_id" },
];

const NUMBERS = { sales: "sales", quantity: "quantity", discount: "discount", profit: "profit" };

const rolling = (name: string, rolling_window: Record<string, string>) => ({ name, type: "count", rolling_window });
const approx = (name: string, trailing: string) => ({
  name,
  type: "count_distinct_approx",
  sql: "order_id",
  rolling_window: { trailing },
});

export const publishedModel = (schema: string): SemanticModel => ({
  cubes: [
    {
      name: "Products",
      sql_table: `${schema}.products`,
      dimensions: plain("string", {
        category: "category",
        subCategory: "sub_category",
        productName: "product_name",
      }).map((each) => ({ ...each, primary_key: true, public: true })),
    },
    {
      name: "Customers",
      sql_table: `${schema}.customers`,
      dimensions: [
        { name: "customerId", sql: "customer_id", type: "string", primary_key: true, public: true },
        { name: "customerName", sql: "customer_name", type: "string" },
      ],
      measures: [
        { name: "count", type: "count", sql: "customer_id" },
        rolling("runningTotal", { trailing: "unbounded" }),
      ],
    },
    {
      name: "ECommerce",
      extends: "Products",
      sql_table: `${schema}.ecommerce`,
      joins: TO_CUSTOMERS,
      dimensions: [
        { name: "rowId", sql: "row_id", type: "number", primary_key: true, public: true },
        ...plain("string", {
          orderId: "order_id",
          customerId: "customer_id",
          customerName: "{Customers.customerName}",
          city: "city",
        }),
        ...plain("number", NUMBERS),
        {
          name: "orderDate",
          sql: "order_date",
          type: "time",
          granularities: [
            ...GRANULARITIES,
            { name: "two_mo_by_feb", interval: "2 months", origin: "2020-02-01 00:00:00" },
          ],
        },
        {
          name: "customOrderDateNoPreAgg",
          sql: "order_date",
          type: "time",
          granularities: [
            ...GRANULARITIES,
            { name: "two_mo_by_feb", interval: "2 months", origin: "2020-02-01 10:00:00" },
          ],
        },
      ],
      measures: [
        ...MEASURES,
        rolling("rollingCountByTrailing", { trailing: "2 month" }),
        rolling("rollingCountByLeading", { leading: "3 month" }),
        rolling("rollingCountByUnbounded", { trailing: "unbounded" }),
      ],
    },
    {
      name: "BigECommerce",
      sql_table: `${schema}.bigecommerce`,
      joins: TO_CUSTOMERS,
      dimensions: [
        { name: "id", sql: "id", type: "number", primary_key: true, public: true },
        ...plain("string", {
          category: "category",
          subCategory: "sub_category",
          productName: "product_name",
          orderId: "order_id",
          customerId: "customer_id",
          customerName: "{Customers.customerName}",
          city: "city",
        }),
        ...plain("time", { orderDate: "order_date", completedDate: "completed_date" }),
        ...plain("number", NUMBERS),
        { name: "returning", sql: "is_returning", type: "boolean" },
      ],
      measures: [
        ...MEASURES,
        rolling("customersCountPrev1Month", { trailing: "1 month", offset: "start" }),
        rolling("rollingCountBy2Day", { trailing: "2 day" }),
        rolling("rollingCountBy2Week", { trailing: "2 week" }),
        rolling("rollingCountBy2Month", { trailing: "2 month" }),
        rolling("rollingCountYTD", { type: "to_date", granularity: "year" }),
        approx("rollingCountApproxBy2Day", "2 day"),
        approx("rollingCountApproxBy2Week", "2 week"),
        approx("rollingCountApproxBy2Month", "2 month"),
      ],
    },
  ],
  views: [],
});
