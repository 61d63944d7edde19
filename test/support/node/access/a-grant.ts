// A grant of a role, as the platform sends it, with what a test is about.

import type { AccessGrant } from "../../../../kernel/access/access.ts";

/** A grant of a table in the schema `shop`, unless told otherwise: all rows and columns, as they are. */
export const aGrant = (table: string, more: Partial<AccessGrant> = {}): AccessGrant => ({
  schema: "shop",
  table,
  excludes: [],
  masks: {},
  filters: [],
  ...more,
});
