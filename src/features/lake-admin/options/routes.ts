// /v4/admin/lake/options: what a lake's maintenance and its writers go by.

import { BODY_FAILURES, enveloped, envelope, fails, json } from "../../../http/answer.ts";
import { operation } from "../../../http/operation.ts";
import { createRouter } from "../../../http/router.ts";
import { LakePath, TAGS } from "../params.ts";
import { listLakeOptions } from "./list.ts";
import { LakeOptions, LakeOptionScope, NewLakeOption } from "./options.ts";
import { setLakeOption } from "./set.ts";

export const options = createRouter();

const EXTENSION = [...TAGS, "Extensions"];

options.openapi(
  operation({
    method: "get",
    path: "/{integration_id}",
    operationId: "listLakeOptions",
    summary: "List a lake's options",
    description: "What is set for the lake, or holds for a schema or table; what is set nowhere is absent.",
    tags: EXTENSION,
    permission: "lake:manage",
    request: { params: LakePath, query: LakeOptionScope },
    responses: { 200: enveloped("The options", LakeOptions), ...fails("resource_not_found") },
  }),
  async (c) => {
    const { integration_id: id } = c.req.valid("param");
    return c.json(envelope(c, await listLakeOptions(c.get("ctx"), id, c.req.valid("query"))), 200);
  },
);

options.openapi(
  operation({
    method: "put",
    path: "/{integration_id}",
    operationId: "setLakeOption",
    summary: "Set an option of a lake",
    description:
      "How large files become (`target_file_size`, 512MB), how they are written (`parquet_row_group_size`, " +
      "`parquet_compression`), from which share of deleted rows on they are rewritten (`rewrite_delete_threshold`, " +
      "0.95), whether maintenance writes them anew at all (`auto_compact`), and what is kept: snapshots younger than " +
      "`expire_older_than` (30d) or among the last `retain_last` (20), and files for `delete_older_than` once no " +
      "snapshot reads them (48h).",
    tags: EXTENSION,
    permission: "lake:manage",
    request: { params: LakePath, body: { required: true, ...json(NewLakeOption) } },
    responses: {
      200: enveloped("The options at that scope", LakeOptions),
      ...fails("resource_not_found", ...BODY_FAILURES),
    },
  }),
  async (c) => {
    const { integration_id: id } = c.req.valid("param");
    return c.json(envelope(c, await setLakeOption(c.get("ctx"), id, c.req.valid("json"))), 200);
  },
);
