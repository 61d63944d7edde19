// The D1 table of destinations. As `schema.ts`: `migrations/` holds the SQL.

import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const DESTINATION_KINDS = ["teams", "webhook"] as const;
export type DestinationKind = (typeof DESTINATION_KINDS)[number];

export const destinations = sqliteTable("destinations", {
  id: text("id").primaryKey(),
  teamId: text("team_id").notNull(),
  kind: text("kind", { enum: DESTINATION_KINDS }).notNull(),
  name: text("name").notNull(),
  host: text("host").notNull(),
  sealed: text("sealed").notNull(),
  vaultKeyId: text("vault_key_id").notNull(),
  previousSecretUntil: text("previous_secret_until"),
  testedAt: text("tested_at"),
  revision: integer("revision").notNull(),
  createdAt: text("created_at").notNull(),
  updatedAt: text("updated_at").notNull(),
});
