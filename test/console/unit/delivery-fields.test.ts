// A delivery's form: what it sends of a new one, and of a changed one nothing but what was changed.

import { expect, it } from "vitest";
import {
  changesOf,
  deliveryOf,
  fieldsOf,
  type DeliveryFields,
} from "../../../src/console/screens/deliveries/delivery-fields.ts";
import type { Delivery } from "../../../src/console/screens/deliveries/delivery-words.ts";

const SLACK = "0198f3c2-0000-7000-8000-0000000000aa";
const KEPT = {
  id: "0198f3c2-0000-7000-8000-000000000001",
  name: "Errors",
  subject: null,
  message: "Look.",
  source: { kind: "query", query_id: "q", parameters: { day: "2026-01-01" }, viz: { type: "kpi" } },
  to: [
    { channel: "email", address: "ada@example.com" },
    { channel: "slack", integration_id: "other", channel_id: "C1" },
    { channel: "webhook", destination_id: "w" },
  ],
  files: { days: 3, by: "link", format: "csv" },
  condition: { kind: "change", dataset: "one", column: "errors", more_than: 5, unit: "percent" },
} as unknown as Delivery;

const changed = (change: Partial<DeliveryFields>) => changesOf({ ...fieldsOf(KEPT), ...change }, SLACK, KEPT);

it("sends nothing of what stays as it is", () => {
  expect(changed({})).toEqual({});
  expect(changed({ bound: "5" })).toEqual({});
});

it("sends a changed member whole, with what the form does not show of it", () => {
  expect(changed({ bound: 6 })).toEqual({
    condition: { kind: "change", dataset: "one", column: "errors", more_than: 6, unit: "percent" },
  });
  expect(changed({ format: "parquet" })).toEqual({ files: { format: "parquet", by: "link", days: 3 } });
  expect(changed({ kind: "always", message: " " })).toEqual({ condition: null, message: null });
  expect(changed({ slack: ["C1", "C2"], mails: [] })).toEqual({
    to: [KEPT.to[1], { channel: "slack", integration_id: SLACK, channel_id: "C2" }, KEPT.to[2]],
  });
  expect(changed({ source: "doc d" })).toEqual({ source: { kind: "doc", doc_id: "d" } });
});

it("sends a new one whole", () => {
  const fields: DeliveryFields = {
    ...fieldsOf(undefined),
    name: " Orders ",
    source: "query q",
    mails: ["ada@example.com"],
    places: ["teams t"],
    kind: "value",
    column: "orders",
    bound: 3,
  };
  expect(deliveryOf(fields, undefined)).toEqual({
    name: "Orders",
    subject: null,
    message: null,
    source: { kind: "query", query_id: "q" },
    to: [
      { channel: "email", address: "ada@example.com" },
      { channel: "teams", destination_id: "t" },
    ],
    files: null,
    condition: { kind: "value", column: "orders", operator: ">", value: 3 },
  });
});
