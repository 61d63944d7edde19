// The noun: an integration as the team sees it, and the pure rules around it. Credentials never appear in it.

import { z } from "@hono/zod-openapi";
import type { ConnectionReport } from "../../../kernel/wire/source.ts";
import { newId } from "../../core/ids.ts";
import { LIMITS } from "../../core/limits.ts";
import { INTEGRATION_TYPES, QUERIED_BY, type IntegrationType } from "./credentials/credentials.ts";
import { TrinoRoutePatch } from "./credentials/trino.ts";
import type { AuditFacts } from "../../platform/db/audit-facts.ts";

export const CATEGORIES = ["source", "destination"] as const;
export type Category = (typeof CATEGORIES)[number];

const CATEGORY_OF: Record<IntegrationType, Category> = {
  postgres: "source",
  mysql: "source",
  redshift: "source",
  sqlserver: "source",
  bigquery: "source",
  snowflake: "source",
  lake: "destination",
  cube: "source",
  slack: "destination",
  trino: "destination",
};
export const categoryOf = (type: IntegrationType): Category => CATEGORY_OF[type];

/** For who has asked an integration otherwise than one of its type is asked. */
export function howQueried({ name, type }: Pick<Integration, "name" | "type">): string {
  const by = QUERIED_BY[type];
  return `The integration ${name} is of type ${type}: ${by === null ? "it holds nothing to query" : `send it ${by}`}.`;
}

export const Integration = z
  .object({
    id: z.uuid(),
    type: z.enum(INTEGRATION_TYPES),
    name: z.string(),
    category: z.enum(CATEGORIES),
    is_default: z
      .boolean()
      .openapi({ description: "Whether a query that names no integration runs here: the team's own lake." }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    details: z
      .object({ name: z.string(), type: z.enum(INTEGRATION_TYPES) })
      .catchall(z.string())
      .openapi({
        description:
          "Name, type, and the credentials that are no secret: host, port, database, username, sslmode; of BigQuery " +
          "project_id and client_email, of Snowflake account, username, warehouse and database; of a semantic model " +
          "integration_id, which it lies on; of Slack workspace, workspace_id and bot; of a team's own Trino url, username, " +
          "catalog, lake_id and its route.",
      }),
  })
  .openapi("Integration");
export type Integration = z.infer<typeof Integration>;

/** The answer to the caller who has just saved an integration. */
export type Created = { integration: Integration; warnings: string[] };

/** A lake by what whoever looks after many needs of it. */
export type TeamLake = { teamId: string; lakeId: string; name: string };

export const IntegrationPatch = z
  .strictObject({
    name: z.string().min(1).max(LIMITS.nameCharactersMax),
    credentials: z
      .record(z.string(), z.unknown())
      .openapi({
        description:
          "The fields to change, `null` for one to take back; the others stay as stored. The " +
          "whole is tested before it is saved, but for a team's own Trino.",
      }),
    route: TrinoRoutePatch.openapi({ description: "Of a team's own Trino: the fields to change." }),
  })
  .partial()
  .refine(
    ({ name, credentials, route }) => name !== undefined || credentials !== undefined || route !== undefined,
    "Send `name`, `credentials` or `route`.",
  )
  .openapi("IntegrationPatch", { example: { credentials: { password: "a new one" } } });
export type IntegrationPatch = z.infer<typeof IntegrationPatch>;

export type IntegrationFields = {
  teamId: string;
  name: string;
  type: IntegrationType;
  isDefault: boolean;
  details: Record<string, string>;
  now: Date;
};

export function planIntegration({ name, type, isDefault, details, now }: IntegrationFields): Integration {
  const at = now.toISOString();
  return {
    id: newId(now),
    type,
    name,
    category: categoryOf(type),
    is_default: isDefault,
    created_at: at,
    updated_at: at,
    details: { ...details, name, type },
  };
}

/** The integration with a patch's name, and what may be shown of its credentials, in place. */
export function patchIntegration(
  integration: Integration,
  name: string | undefined,
  shownNow: Record<string, string> | undefined,
  now: Date,
): Integration {
  const { name: oldName, type, ...shown } = integration.details;
  const renamed = name ?? oldName;
  const details = { ...(shownNow ?? shown), name: renamed, type };
  return { ...integration, name: renamed, details, updated_at: now.toISOString() };
}

/** Warnings to a user about a connection that works. */
export function warningsOf(report: Pick<ConnectionReport, "canWrite" | "tls">): string[] {
  return [
    ...(report.canWrite
      ? ["This database role can write. Fjord only reads, but a read-only role is the safer choice."]
      : []),
    ...(report.tls ? [] : ["The connection is not encrypted: the server offers no TLS, or none is asked for."]),
  ];
}

/** The audit log's facts of an integration: no secret of its credentials. */
export const auditedIntegration = ({ name, type, details }: Integration): AuditFacts => ({ ...details, name, type });
