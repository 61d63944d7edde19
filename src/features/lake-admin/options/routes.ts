// /v4/admin/lake/options: what a lake's maintenance and its writers go by.

import { enveloped } from "../../../http/answer.ts";
import { createRouter } from "../../../http/router.ts";
import { LakePath, TAGS } from "../params.ts";
import { listLakeOptions } from "./list.ts";
import { LakeOptions, LakeOptionPlace, NewLakeOption } from "./options.ts";
import { setLakeOption } from "./set.ts";

export const options = createRouter([...TAGS, "Extensions"]);

options.operation("listLakeOptions", "GET /{integration_id}", {
  permission: "lake:manage",
  summary: "List a lake's options",
  description: "What is set for the lake, or holds for a schema or table; what is set nowhere is absent.",
  params: LakePath,
  query: LakeOptionPlace,
  answer: enveloped("The options", LakeOptions),
  run: (ctx, { params, query }) => listLakeOptions(ctx, params.integration_id, query),
});

options.operation("setLakeOption", "PUT /{integration_id}", {
  permission: "lake:manage",
  audit: "lake_option.set",
  summary: "Set an option of a lake",
  description:
    "How large files become (`target_file_size`, 512MB), how they are written (`parquet_row_group_size`, " +
    "`parquet_compression`), from which share of deleted rows on they are rewritten (`rewrite_delete_threshold`, " +
    "0.95), whether maintenance writes them anew at all (`auto_compact`), and what is kept: snapshots younger than " +
    "`expire_older_than` (30d) or among the last `retain_last` (20), and files for `delete_older_than` once no " +
    "snapshot reads them (48h).",
  params: LakePath,
  body: NewLakeOption,
  answer: enveloped("The options at that scope", LakeOptions),
  run: (ctx, { params, body }) => setLakeOption(ctx, params.integration_id, body),
});
