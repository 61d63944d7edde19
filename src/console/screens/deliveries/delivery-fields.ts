// The fields of a delivery's form: from a delivery, and to what the API takes. What the form does not show of one, such
// as a query's parameters, stays as it is. Pure.

import type { components } from "../../api/schema.d.ts";
import type { Delivery } from "./delivery-words.ts";

export type NewDelivery = components["schemas"]["NewDelivery"];
type Recipient = Delivery["to"][number];
type Condition = NonNullable<Delivery["condition"]>;
type ValueCondition = Extract<Condition, { kind: "value" }>;
type ChangeCondition = Extract<Condition, { kind: "change" }>;

export type DeliveryFields = {
  name: string;
  subject: string;
  message: string;
  /** `doc <id>` or `query <id>`. */
  source: string | null;
  mails: string[];
  /** Ids of channels. */
  slack: string[];
  /** `<channel> <id of the destination>`. */
  places: string[];
  kind: Condition["kind"] | "always";
  column: string;
  operator: ValueCondition["operator"];
  unit: ChangeCondition["unit"];
  bound: number | string;
  format: "none" | "csv" | "parquet";
  by: "attachment" | "link";
};

const LINK_DAYS = 7;

export function fieldsOf(delivery: Delivery | undefined): DeliveryFields {
  const { name = "", subject, message, source, to = [], condition, files } = delivery ?? {};
  return {
    name,
    subject: subject ?? "",
    message: message ?? "",
    source: source ? (source.kind === "doc" ? `doc ${source.doc_id}` : `query ${source.query_id}`) : null,
    mails: to.flatMap((one) => (one.channel === "email" ? [one.address] : [])),
    slack: to.flatMap((one) => (one.channel === "slack" ? [one.channel_id] : [])),
    places: to.flatMap((one) => ("destination_id" in one ? [placeOf(one)] : [])),
    kind: condition?.kind ?? "always",
    column: condition && "column" in condition ? condition.column : "",
    operator: condition?.kind === "value" ? condition.operator : ">",
    unit: condition?.kind === "change" ? condition.unit : "absolute",
    bound: condition?.kind === "value" ? condition.value : condition?.kind === "change" ? condition.more_than : 0,
    format: files?.format ?? "none",
    by: files?.by ?? "attachment",
  };
}

/** `slackId` is the integration that channels are added to. */
export function deliveryOf(fields: DeliveryFields, slackId: string | undefined, before?: Delivery): NewDelivery {
  return {
    name: fields.name.trim(),
    subject: fields.subject.trim() || null,
    message: fields.message.trim() || null,
    source: fields.source === fieldsOf(before).source && before ? before.source : sourceOf(fields.source!),
    to: recipientsOf(fields, slackId, before?.to ?? []),
    files:
      fields.format === "none"
        ? null
        : { format: fields.format, by: fields.by, days: before?.files?.days ?? LINK_DAYS },
    condition: conditionOf(fields, before?.condition ?? null),
  };
}

const FIELDS_OF = {
  name: ["name"],
  subject: ["subject"],
  message: ["message"],
  source: ["source"],
  to: ["mails", "slack", "places"],
  files: ["format", "by"],
  condition: ["kind", "column", "operator", "unit", "bound"],
} as const satisfies Record<keyof NewDelivery, readonly (keyof DeliveryFields)[]>;

/** The members whose fields are others than before: a source or a condition that is sent begins anew. */
export function changesOf(fields: DeliveryFields, slackId: string | undefined, before: Delivery): Partial<NewDelivery> {
  const [then, after] = [fieldsOf(before), deliveryOf(fields, slackId, before)];
  const members = Object.keys(FIELDS_OF) as (keyof NewDelivery)[];
  const changed = members.filter((member) =>
    FIELDS_OF[member].some((one) => String(then[one]) !== String(fields[one])),
  );
  return Object.fromEntries(changed.map((member) => [member, after[member]]));
}

const placeOf = (one: Extract<Recipient, { destination_id: string }>): string => `${one.channel} ${one.destination_id}`;

function sourceOf(text: string): NewDelivery["source"] {
  const [kind, id] = text.split(" ") as ["doc" | "query", string];
  return kind === "doc" ? { kind, doc_id: id } : { kind, query_id: id };
}

function recipientsOf({ mails, slack, places }: DeliveryFields, slackId: string | undefined, before: Recipient[]) {
  const keyOf = (one: Recipient): string =>
    one.channel === "email" ? one.address : one.channel === "slack" ? one.channel_id : placeOf(one);
  const known = new Map(before.map((one) => [keyOf(one), one]));
  const made = (place: string): Recipient => {
    const [channel, id] = place.split(" ") as ["teams" | "webhook", string];
    return { channel, destination_id: id };
  };
  return [
    ...mails.map((address): Recipient => known.get(address) ?? { channel: "email", address }),
    ...slack.map(
      (id): Recipient => known.get(id) ?? { channel: "slack", integration_id: slackId ?? "", channel_id: id },
    ),
    ...places.map((place) => known.get(place) ?? made(place)),
  ];
}

function conditionOf(fields: DeliveryFields, before: Condition | null): Condition | null {
  const { kind, operator, unit } = fields;
  const dataset = before?.dataset === undefined ? {} : { dataset: before.dataset };
  const column = fields.column.trim();
  const bound = Number(fields.bound);
  switch (kind) {
    case "always":
      return null;
    case "rows":
    case "no_rows":
      return { kind, ...dataset };
    case "value":
      return { kind, ...dataset, column, operator, value: bound };
    case "change":
      return { kind, ...dataset, column, more_than: bound, unit };
  }
}
