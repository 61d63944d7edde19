// The D1 table of destinations. As `schema.ts`: `migrations/` holds the SQL.

import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { OutboundEventType } from "../../../core/events/outbound-event-types.ts";
import { dated, ofTeam } from "./shared-columns.ts";

export const DESTINATION_KINDS = ["teams", "webhook", "events"] as const;
/** Why nothing is sent to a destination: somebody wants it so, its host answered 410, or it failed for days. */
export const DISABLED_CODES = ["requested", "gone", "failing"] as const;
export type DestinationKind = (typeof DESTINATION_KINDS)[number];

export const destinations = sqliteTable("destinations", {
  ...ofTeam,
  kind: text("kind", { enum: DESTINATION_KINDS }).notNull(),
  name: text("name").notNull(),
  host: text("host").notNull(),
  sealed: text("sealed").notNull(),
  vaultKeyId: text("vault_key_id").notNull(),
  previousSecretUntil: text("previous_secret_until"),
  testedAt: text("tested_at"),
  revision: integer("revision").notNull(),
  ...dated,
  eventTypes: text("event_types", { mode: "json" }).$type<OutboundEventType[]>(),
  description: text("description"),
  disabledAt: text("disabled_at"),
  disabledCode: text("disabled_code", { enum: DISABLED_CODES }),
  failingSince: text("failing_since"),
});
