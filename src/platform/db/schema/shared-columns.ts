// Columns that many tables have, each by the same name. Where a table names them, they stand in its own order.

import { text } from "drizzle-orm/sqlite-core";

export const ofTeam = { id: text("id").primaryKey(), teamId: text("team_id").notNull() };
export const dated = { createdAt: text("created_at").notNull(), updatedAt: text("updated_at").notNull() };
