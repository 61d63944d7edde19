// The noun: a delivery, on the wire and in the mind. Pure.

import { z } from "@hono/zod-openapi";
import { Viz } from "../../../kernel/docs/viz.ts";
import { LIMITS } from "../../core/limits.ts";
import { orNull } from "../../http/answer.ts";
import { shownBy } from "../../http/shown-by.ts";
import type { AuditFacts } from "../../platform/db/audit-facts.ts";
import type { deliveries } from "../../platform/db/schema/question-schema.ts";
import { SentParameters } from "../saved-queries/run.ts";
import { DeliveryCondition } from "./condition.ts";
import { DELIVERY_LIMITS } from "./limits.ts";
import { Recipient } from "./recipients.ts";

const Id = z
  .uuid()
  .transform((id) => id.toLowerCase())
  .openapi({ type: "string", format: "uuid" });

const QuerySource = z
  .strictObject({
    kind: z.literal("query"),
    query_id: Id.openapi({ description: "The saved query; its newest version runs." }),
    parameters: SentParameters,
    viz: Viz.optional().openapi({
      type: "object",
      description: "How its result is drawn, as a tile's `viz` says. Absent: as a table.",
    }),
  })
  .openapi("QueryDelivered");
const DocSource = z
  .strictObject({
    kind: z.literal("doc"),
    doc_id: Id,
    dataset_keys: z
      .array(z.string().min(1).max(100))
      .min(1)
      .max(DELIVERY_LIMITS.deliveryResultsMax)
      .optional()
      .openapi({
        description: "These datasets go out, each as a table. Absent: the doc's tiles do, as they are drawn.",
      }),
  })
  .openapi("DocDelivered");

export const DeliverySource = z.discriminatedUnion("kind", [QuerySource, DocSource]).openapi("DeliverySource");
export type DeliverySource = z.infer<typeof DeliverySource>;

const Line = z
  .string()
  .trim()
  .min(1)
  .max(LIMITS.nameCharactersMax)
  .refine((text) => !/[\p{Cc}\u2028\u2029]/u.test(text), "Send one line of text.");

const Files = z
  .strictObject({
    format: z.enum(["csv", "parquet"]),
    by: z
      .enum(["attachment", "link"])
      .default("attachment")
      .openapi({ description: "Mail and Slack carry attachments; Teams and webhooks take links alone." }),
    days: z
      .int()
      .min(1)
      .max(DELIVERY_LIMITS.deliveryLinkDaysMax)
      .default(DELIVERY_LIMITS.deliveryLinkDaysDefault)
      .openapi({ description: "How long a link leads to its file." }),
  })
  .openapi("DeliveryFiles");
export type DeliveryFiles = z.infer<typeof Files>;

const FIELDS = {
  name: Line,
  subject: Line.nullable().openapi({ description: "Null: the name." }),
  message: z
    .string()
    .max(DELIVERY_LIMITS.deliveryMessageCharactersMax)
    .nullable()
    .openapi({ description: "Text that stands before the results." }),
  source: DeliverySource,
  to: z.array(Recipient).min(1).max(DELIVERY_LIMITS.deliveryRecipientsMax),
  files: orNull(Files).openapi({ description: "Whole results as files. Null: none." }),
  condition: orNull(DeliveryCondition).openapi({
    description:
      "A run sends something as the condition begins to hold, and again only after it has not. Null: always.",
  }),
};

export const NewDelivery = z
  .strictObject({
    ...FIELDS,
    subject: FIELDS.subject.default(null),
    message: FIELDS.message.default(null),
    files: FIELDS.files.default(null),
    condition: FIELDS.condition.default(null),
  })
  .openapi("NewDelivery", {
    example: {
      name: "Orders of yesterday",
      source: { kind: "query", query_id: "0198f3c2-0000-7000-8000-000000000001", parameters: {} },
      to: [{ channel: "email", address: "ada@example.com" }],
    },
  });
export type NewDelivery = z.infer<typeof NewDelivery>;

export const DeliveryPatch = z
  .strictObject(FIELDS)
  .partial()
  .refine((patch) => Object.keys(patch).length > 0, "Name at least one field to change.")
  .openapi("DeliveryPatch", { example: { message: "For the meeting at nine." } });
export type DeliveryPatch = z.infer<typeof DeliveryPatch>;

/** A delivery is its row. `revision` rises with every change, and with every run that reads its results. */
export type DeliveryRow = Omit<typeof deliveries.$inferSelect, "source" | "recipients" | "files" | "condition"> & {
  source: DeliverySource;
  recipients: Recipient[];
  files: DeliveryFiles | null;
  condition: DeliveryCondition | null;
};

/** A delivery before its first run. */
export const NOT_RUN = { conditionState: null, lastRunId: null, lastRunAt: null, lastRunSent: null };

/** The id of what a delivery sends, which is in its row for whoever looks for what depends on it. */
export const sourceIdOf = (source: DeliverySource): string =>
  source.kind === "query" ? source.query_id : source.doc_id;

const instant = z.iso.datetime();

const LastRun = z
  .object({
    run_id: z.uuid(),
    at: instant,
    sent: z.boolean().openapi({ description: "False: its condition did not begin to hold." }),
    holds: z.boolean().nullable().openapi({ description: "Whether the condition held; null without one." }),
    value: z.number().nullable().openapi({ description: "What the condition looked at." }),
  })
  .openapi("LastDeliveryRun");

export const Delivery = z
  .object({
    id: z.uuid(),
    ...FIELDS,
    last_run: orNull(LastRun).openapi({
      description: "The last run that read its results. Null before the first, and after a change.",
    }),
    created_by: z.uuid(),
    created_at: instant,
    updated_at: instant,
  })
  .openapi("Delivery");
export type Delivery = z.infer<typeof Delivery>;

export const shownDelivery = (row: DeliveryRow): Delivery =>
  shownBy(Delivery, row, { to: row.recipients, last_run: lastRunOf(row) });

const lastRunOf = (row: DeliveryRow): Delivery["last_run"] =>
  row.lastRunId === null || row.lastRunAt === null
    ? null
    : {
        run_id: row.lastRunId,
        at: row.lastRunAt,
        sent: row.lastRunSent ?? false,
        holds: row.conditionState?.holds ?? null,
        value: row.conditionState?.value ?? null,
      };

/** The audit log's facts of a delivery. */
export const auditedDelivery = (row: DeliveryRow): AuditFacts => ({
  name: row.name,
  source: row.source.kind,
  source_id: row.sourceId,
  recipients: row.recipients.length,
  channels: [...new Set(row.recipients.map(({ channel }) => channel))],
  files: row.files?.format ?? null,
  condition: row.condition?.kind ?? null,
});
