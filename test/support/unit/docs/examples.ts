// Docs in the shapes that public examples have, and one that uses all of the grammar. The texts are this suite's own.

const head = { version: 1, schemaVersion: "2025-01" };

/** An application on a tile of its own, whose file lies in the drive. */
const application = {
  ...head,
  kind: "dashboard",
  metadata: { name: "Shop application" },
  datasets: {},
  layout: {
    columns: 36,
    tiles: [
      { id: "app", x: 0, y: 0, w: 36, h: 22, type: "html", fullScreen: true, driveFile: "apps/shop/dist/index.html" },
    ],
  },
};

/** Filters over a semantic model, and tiles with series by name. */
const overview = {
  ...head,
  kind: "dashboard",
  metadata: { name: "Overview", description: "Sales at a glance" },
  filters: [
    {
      id: "country",
      label: "Country",
      target: { dimension: "customers.country" },
      operator: "equals",
      display: "prominent",
      values: ["NO", "SE"],
    },
  ],
  datasets: {
    collected: { engine: "sql", sql: "SELECT sum(amount) AS collected FROM LAKE.shop.payments" },
    by_month: {
      engine: "cube",
      cube: "orders",
      measures: ["revenue"],
      dimensions: ["status"],
      timeDimensions: [{ dimension: "ordered_at", granularity: "month", dateRange: "last 90 days" }],
      order: [["orders.revenue", "desc"]],
      limit: 2000,
    },
  },
  layout: {
    columns: 36,
    tiles: [
      {
        ...{ id: "collected", x: 0, y: 0, w: 9, h: 4, type: "kpi", title: "Collected", source: "collected" },
        viz: { type: "kpi", series: [{ field: "collected", format: "currency" }], colors: { color: "#10b981" } },
      },
      {
        ...{ id: "trend", x: 9, y: 0, w: 27, h: 12, type: "chart", title: "Revenue", source: "by_month" },
        viz: { type: "area", series: [{ field: "orders.revenue", format: "currency" }] },
      },
      { id: "rows", x: 0, y: 12, w: 36, h: 10, type: "table", source: "by_month" },
      { id: "note", x: 0, y: 4, w: 9, h: 8, type: "markdown", content: "**Paid** orders only." },
    ],
  },
};

/** Steps that depend on each other, run by a clock. */
const pipeline = {
  ...head,
  kind: "pipeline",
  metadata: { name: "Morning report", description: "Orders, enriched" },
  datasets: {
    orders: { engine: "sql", sql: "SELECT id, customer_id, amount FROM LAKE.shop.orders" },
    customers: { engine: "cube", cube: "customers", measures: ["count"], dimensions: ["id", "region"] },
    report: {
      engine: "python",
      dependsOn: ["orders", "customers"],
      inputs: [
        { ref: "orders", as: "orders_df" },
        { ref: "customers", as: "customers_df" },
      ],
      code: "result = orders_df.merge(customers_df, left_on='customer_id', right_on='id')",
      timeoutMs: 60_000,
    },
  },
  automations: [{ name: "Each morning", trigger: { type: "cron", cron: "0 7 * * 1-5", timezone: "Europe/Oslo" } }],
};

/** Charts by the places of columns, as exports of the chart library have them. */
const exported = {
  ...head,
  kind: "dashboard",
  metadata: { name: "Exported" },
  datasets: {
    visits: {
      engine: "cube",
      measures: ["visits.count", "visits.users"],
      dimensions: ["visits.browser"],
      timeDimensions: [{ dimension: "visits.at", granularity: "day" }],
    },
  },
  layout: {
    tiles: [
      {
        ...{ id: "bars", x: 0, y: 0, w: 18, h: 10, type: "chart", source: "visits" },
        viz: {
          chartType: "bar",
          style: { showTitle: false, showToolbox: false, barStyle: "stacked", orientation: "horizontal" },
          dimensions: [
            { index: 1, dataType: "datetime" },
            { index: 0, dataType: "category" },
          ],
          metrics: [{ index: 2, color: ["#d9f99d"], aggregation: "sum", format: "number" }],
        },
      },
    ],
  },
};

/** Every kind of chart, and every way to say when a doc runs. */
const whole = {
  ...head,
  kind: "dashboard",
  metadata: { name: "Whole" },
  filters: [
    { id: "period", type: "dateRange", default: "last 90 days", target: { dimension: "orders.ordered_at" } },
    { id: "city", type: "multiSelect", default: ["Oslo"], target: { field: "city", datasets: ["sales"] } },
  ],
  datasets: { sales: { engine: "sql", sql: "SELECT 1 AS n, 'Oslo' AS city, DATE '2026-01-31' AS day" } },
  layout: {
    columns: 24,
    tiles: [
      {
        ...{ id: "line", x: 0, y: 0, w: 8, h: 4, type: "chart", source: "sales" },
        viz: {
          type: "line",
          x: { field: "day", type: "time" },
          y: [{ field: "n", axis: "left", format: "number" }],
          color: { field: "city", limit: 8 },
          stack: "none",
          compare: "previousPeriod",
          reference: [{ y: 100, label: "target" }],
          onClick: { filter: "city" },
        },
      },
      {
        ...{ id: "pie", x: 8, y: 0, w: 8, h: 4, type: "chart", source: "sales" },
        viz: { type: "pie", x: { field: "city" }, y: [{ field: "n" }] },
      },
      {
        ...{ id: "scatter", x: 16, y: 0, w: 8, h: 4, type: "chart", source: "sales" },
        viz: { type: "scatter", x: { field: "n" }, y: [{ field: "n" }], size: { field: "n" } },
      },
      {
        ...{ id: "heat", x: 0, y: 4, w: 8, h: 4, type: "chart", source: "sales" },
        viz: {
          type: "heatmap",
          x: { field: "day" },
          color: { field: "city" },
          y: [{ field: "n" }],
          scale: "piecewise",
        },
      },
      {
        ...{ id: "days", x: 8, y: 4, w: 8, h: 4, type: "chart", source: "sales" },
        viz: { type: "calendar", x: { field: "day", type: "time" }, y: [{ field: "n", aggregation: "sum" }] },
      },
      {
        ...{ id: "pivot", x: 16, y: 4, w: 8, h: 4, type: "table", source: "sales" },
        viz: { type: "pivot", rows: [{ field: "city" }], columns: [{ field: "day" }], values: [{ field: "n" }] },
      },
      {
        ...{ id: "table", x: 0, y: 8, w: 24, h: 4, type: "table", source: "sales" },
        viz: { type: "table", columns: [{ field: "city", label: "City" }], sort: [{ field: "n", desc: true }] },
      },
    ],
  },
  automations: [
    { id: "hourly", cron: "0 * * * *", datasetKeys: ["sales"], enabled: false },
    { id: "nightly", schedule: { cron: "0 3 * * *", timezone: "UTC" }, retry: { attempts: 3 }, overlap: "queue" },
    { id: "asked", data: { rows: 5 }, environmentVariables: { REGION: "north" }, timeoutSeconds: 600 },
  ],
};

/** What another platform draws and this one does not, in the shapes above. */
export const FOREIGN = {
  ...head,
  kind: "dashboard",
  metadata: { name: "From elsewhere", folder: "Sales" },
  filters: [
    {
      id: "country",
      label: "Country",
      target: { dimension: "customers.country" },
      operator: "equals",
      display: "sidebar",
      values: ["NO"],
      width: 4,
    },
  ],
  datasets: { sales: { engine: "sql", sql: "SELECT 1 AS n, 'Oslo' AS city", cacheSeconds: 60 } },
  layout: {
    columns: 36,
    theme: "dark",
    tiles: [
      {
        ...{ id: "map", x: 0, y: 0, w: 18, h: 8, type: "chart", title: "Map", source: "sales" },
        viz: { type: "vega", spec: { mark: "geoshape", data: { name: "sales" } } },
      },
      { id: "clock", x: 18, y: 0, w: 18, h: 8, type: "clock", zone: "Europe/Oslo" },
      {
        ...{ id: "steps", x: 0, y: 8, w: 18, h: 8, type: "chart", source: "sales" },
        viz: { chartType: "funnel", dimensions: [{ index: 1 }], metrics: [{ index: 0 }] },
      },
      {
        ...{ id: "bars", x: 18, y: 8, w: 18, h: 8, type: "chart", source: "sales", border: true },
        viz: { type: "bar", x: { field: "city" }, series: [{ field: "n", format: "currency" }], rounded: true },
      },
    ],
  },
  automations: [
    {
      name: "Each morning",
      trigger: { type: "cron", cron: "0 7 * * 1-5", timezone: "Europe/Oslo" },
      destinations: [{ type: "slack", channel: "#figures" }],
      notify: "always",
    },
  ],
};

/** By name. Each is valid, and has no member that the grammar does not know. */
export const EXAMPLES: Record<string, Record<string, unknown>> = { application, overview, pipeline, exported, whole };

/** By the name of an example, where it has what no message or answer here shows anything of. */
export const UNSHOWN: Record<string, readonly string[]> = {
  application: ["/layout/tiles/0/fullScreen", "/layout/tiles/0/driveFile"],
  overview: ["/layout/tiles/0/viz/colors"],
  exported: ["/layout/tiles/0/viz/style/showTitle", "/layout/tiles/0/viz/style/showToolbox"],
  whole: ["/filters/0", "/layout/tiles/0/viz/onClick"],
};
