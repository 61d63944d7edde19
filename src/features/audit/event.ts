// The noun: one change that somebody made, as the audit log tells it. Pure.

import { z } from "@hono/zod-openapi";

const Facts = z
  .record(z.string(), z.unknown())
  .nullable()
  .openapi({
    description:
      "Fields of the subject; of a change only those that differ. Secrets, and what may hold some, are told by size or " +
      'version. A field that is too long is `{"cut": true, "bytes": …}`; under `…` is how many more there were.',
  });

export const AuditEvent = z
  .object({
    id: z.uuid(),
    at: z.iso.datetime(),
    action: z.string().openapi({ description: "`<noun>.<verb>`." }),
    kind: z.string().openapi({ description: "The action's noun." }),
    subject_id: z.string().openapi({ description: "What it was done to: an id, a path or a name." }),
    actor: z.object({
      id: z.uuid(),
      name: z.string().nullable().openapi({ description: "Null: not, or no longer, in your team." }),
    }),
    by_operator: z
      .boolean()
      .openapi({ description: "Whether one of the platform's operators did it, of another team." }),
    key_id: z.uuid().nullable().openapi({ description: "The key that was used; null where it was a run's, or none." }),
    run_id: z.uuid().nullable().openapi({ description: "The doc's run whose key was used." }),
    request_id: z.uuid().nullable().openapi({ description: "The request's `X-Request-Id`." }),
    team_id: z.uuid(),
    before: Facts,
    after: Facts,
  })
  .openapi("AuditEvent");
export type AuditEvent = z.infer<typeof AuditEvent>;

export const AuditPage = z
  .object({
    items: z.array(AuditEvent),
    cursor: z.uuid().nullable().openapi({ description: "Where the next page begins; null: there is none." }),
  })
  .openapi("AuditPage");
export type AuditPage = z.infer<typeof AuditPage>;

/** All that is set must be so. `from` is included, `to` is not. */
export type AuditFilter = {
  actor_id?: string | undefined;
  action?: string | undefined;
  kind?: string | undefined;
  subject_id?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
};

/** Newest first; `cursor`: the id of the last event of the page before. */
export type AuditPaging = { limit: number; cursor?: string | undefined };
