// GET /v4/audit: who changed what.

import { z } from "@hono/zod-openapi";
import { AUDIT_LIMITS } from "./limits.ts";
import { enveloped } from "../../http/answer.ts";
import { booleanParameter, integerParameter } from "../../http/request/query-params.ts";
import { createRouter } from "../../http/router.ts";
import { AuditPage } from "./event.ts";
import { listAuditEvents } from "./list.ts";

export const audit = createRouter(["Audit", "Extensions"]);

const DAY_MS = 86_400_000;
const NAME_CHARACTERS_MAX = 64;
/** Drive paths are subjects, too. */
const SUBJECT_CHARACTERS_MAX = 1_024;

const AuditQuery = z.strictObject({
  actor_id: z.uuid().toLowerCase().optional().openapi({ description: "The user who did it." }),
  action: z
    .string()
    .max(NAME_CHARACTERS_MAX)
    .regex(/^[a-z_]+\.[a-z_]+$/, "Send `<noun>.<verb>`, such as `key.rotate`.")
    .optional(),
  kind: z
    .string()
    .max(NAME_CHARACTERS_MAX)
    .regex(/^[a-z_]+$/, "Send an action's noun, such as `integration`.")
    .optional(),
  subject_id: z.string().min(1).max(SUBJECT_CHARACTERS_MAX).optional(),
  from: z.iso.datetime({ offset: true }).optional().openapi({ description: "No earlier than this." }),
  to: z.iso.datetime({ offset: true }).optional().openapi({ description: "Earlier than this." }),
  operators: booleanParameter(false).openapi({
    description:
      "For operators: what operators changed in teams that are not their own, instead of your team's events.",
  }),
  limit: integerParameter({ min: 1, max: 250, default: 100 }),
  cursor: z.uuid().toLowerCase().optional().openapi({ description: "Of the page before." }),
});

audit.operation("listAuditEvents", "GET /", {
  permission: "team:manage",
  summary: "List who changed what",
  description:
    "Every change and sign-in, newest first, with what was before and after. Kept for " +
    `${AUDIT_LIMITS.keptMs / DAY_MS} days; what runs' keys did for ${AUDIT_LIMITS.ofRunsKeptMs / DAY_MS} days. Go on with the ` +
    "answer's `cursor` until it is `null`.",
  query: AuditQuery,
  answer: enveloped("A page of events, newest first", AuditPage),
  run: (ctx, { query }) => listAuditEvents(ctx, query),
});
