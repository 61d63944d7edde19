// A dataset's `materialize` describes the table that it builds: where its rows go, how, and from where on it reads.

import { z } from "@hono/zod-openapi";
import { BUILD_MODES, type TableTarget } from "../../../../../kernel/wire/builds.ts";
import { ACCESS_LIMITS } from "../../../access/limits.ts";
import { DOC_LIMITS } from "../../limits.ts";

const NAME = "[A-Za-z_][A-Za-z0-9_]{0,126}";

/** `table`, which is in the schema main, or `schema.table`. */
export const BuiltTableName = z
  .string()
  .regex(
    new RegExp(`^(?:${NAME}\\.)?${NAME}$`),
    "Send table or schema.table: names of letters, digits and _, not beginning with a digit, at most 127 characters each.",
  );

export const ColumnName = z.string().min(1).max(ACCESS_LIMITS.nameCharactersMax);

export const Columns = z
  .array(ColumnName)
  .min(1)
  .max(DOC_LIMITS.buildColumnsMax)
  .refine((names) => new Set(names).size === names.length, "A column is named twice.");

const Materialize = z
  .strictObject({ table: BuiltTableName, mode: z.enum(BUILD_MODES).default("replace"), key: Columns.optional() })
  .superRefine(({ mode, key }, context) => {
    const isMerged = mode === "merge";
    if (isMerged === (key !== undefined)) return;
    const message = isMerged ? "A table that rows are merged into needs the key of a row." : `Mode ${mode} has no key.`;
    context.addIssue({ code: "custom", path: ["key"], message });
  })
  .openapi("Materialize", {
    description:
      "The table of the lake that the rows become. `replace`: they are the table. `append`: they come beside its rows. " +
      "`merge`: each takes the place of the row of its `key`, if there is one.",
    example: { table: "shop.orders", mode: "merge", key: ["id"] },
  });
export type Materialize = z.infer<typeof Materialize>;

const Incremental = z
  .strictObject({ column: ColumnName })
  .openapi("Incremental", {
    description:
      "The SQL reads what came since the greatest value of this column that was ever published, which it has as " +
      "`$since`: NULL at the first run.",
  });

export const BUILD_MEMBERS = { materialize: Materialize.optional(), incremental: Incremental.optional() };

export function targetOf({ table, mode, key = [] }: Materialize): TableTarget {
  const [name = "", schema = "main"] = table.split(".").reverse();
  return { schema, name, mode, key };
}
