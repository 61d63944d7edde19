// What Cube's `/v1/meta` says of a small model: orders with line items, and a view over both.

const member = (name: string, type: string, more: object = {}) => ({
  name,
  title: `Title of ${name}`,
  shortTitle: name.split(".")[1],
  description: undefined,
  type,
  isVisible: true,
  public: true,
  ...more,
});

const measure = (name: string, more: object = {}) =>
  member(name, "number", {
    aggType: "sum",
    drillMembers: ["orders.id"],
    drillMembersGrouped: { measures: [], dimensions: ["orders.id"] },
    ...more,
  });

const FISCAL = { name: "fiscal", title: "Fiscal year", interval: "1 year", origin: "2026-04-01" };

export const SHOP_META = [
  {
    name: "orders",
    type: "cube",
    title: "Orders",
    measures: [measure("orders.count"), measure("orders.total", { format: "currency", currency: "EUR" })],
    dimensions: [
      member("orders.id", "number", { isVisible: false, public: false, primaryKey: true }),
      member("orders.status", "string", { meta: { ai_context: "open or paid" } }),
      member("orders.created", "time", { granularities: [FISCAL] }),
      member("orders.shipped", "time"),
      member("orders.changed", "time", { isVisible: false, public: false }),
    ],
    segments: [member("orders.paid", "string")],
  },
  {
    name: "line_items",
    type: "cube",
    title: "Line items",
    measures: [measure("line_items.quantity")],
    dimensions: [member("line_items.product", "string")],
    segments: [],
  },
  { name: "sales", type: "view", title: "Sales", measures: [measure("sales.total")], dimensions: [], segments: [] },
];
