// The noun: what a lake's maintenance and its writers go by. Pure.

import { z } from "@hono/zod-openapi";

/** The names are DuckLake's, but `retain_last` is ours. */
const KEYS = [
  "target_file_size",
  "parquet_row_group_size",
  "parquet_compression",
  "rewrite_delete_threshold",
  "auto_compact",
  "expire_older_than",
  "retain_last",
  "delete_older_than",
] as const;

const Name = z.string().min(1).max(1_000);

/** The place where an option is set or asked for; the whole lake where neither is named. */
export const LakeOptionPlace = z
  .strictObject({ schema: Name.optional(), table: Name.optional() })
  .refine(({ schema, table }) => table === undefined || schema !== undefined, {
    path: ["schema"],
    message: "A table is named with its schema.",
  });
export type LakeOptionPlace = z.infer<typeof LakeOptionPlace>;

export const NewLakeOption = z
  .strictObject({
    key: z
      .enum(KEYS)
      .openapi({ description: "The last three are of a whole lake; the others may be of a schema or a table." }),
    value: z.string().max(100).nullable().openapi({ description: "Null: what holds without it." }),
    scope: LakeOptionPlace.default({}),
  })
  .openapi("NewLakeOption", { example: { key: "expire_older_than", value: "14d", scope: {} } });
export type NewLakeOption = z.infer<typeof NewLakeOption>;

export const LakeOptions = z
  .object({
    items: z.array(
      z.object({
        key: z.string(),
        value: z.string(),
        scope: z.enum(["lake", "schema", "table"]).openapi({ description: "Where it is set." }),
      }),
    ),
  })
  .openapi("LakeOptions");
export type LakeOptions = z.infer<typeof LakeOptions>;
