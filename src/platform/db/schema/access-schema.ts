// The D1 tables of data access. As `schema.ts`: `migrations/` holds the SQL.

import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { dated, ofTeam } from "./shared-columns.ts";

export const accessRoles = sqliteTable("access_roles", {
  ...ofTeam,
  name: text("name").notNull(),
  nameFolded: text("name_folded").notNull(),
  description: text("description"),
  grants: text("grants").notNull(),
  grantsDigest: text("grants_digest").notNull(),
  grantsBytes: integer("grants_bytes").notNull(),
  namesAttributes: integer("names_attributes", { mode: "boolean" }).notNull(),
  ...dated,
  revision: integer("revision").notNull().default(1),
});

export const accessMembers = sqliteTable("access_members", {
  teamId: text("team_id").notNull(),
  roleId: text("role_id").notNull(),
  userId: text("user_id").notNull(),
  createdAt: text("created_at").notNull(),
});

/** A user's attributes by name: each is a text or a list of texts. */
export type UserAttributes = Record<string, string | string[]>;

export const userAttributes = sqliteTable("user_attributes", {
  userId: text("user_id").primaryKey(),
  teamId: text("team_id").notNull(),
  attributes: text("attributes", { mode: "json" }).$type<UserAttributes>().notNull(),
  digest: text("digest").notNull(),
  updatedAt: text("updated_at").notNull(),
});
