// /v1/store: key-value stores, which scripts keep between runs. The shapes are those that existing clients send and
// read.

import { z } from "@hono/zod-openapi";
import { LIMITS } from "../../core/limits.ts";
import { answers, BODY_FAILURES, fails, json } from "../../http/answer.ts";
import { operation } from "../../http/operation.ts";
import { createRouter } from "../../http/router.ts";
import { deleteKvStore } from "./delete.ts";
import { getKvStore } from "./get.ts";
import { KvStore, KvStoreRef, NewKvVersion } from "./kv-store.ts";
import { setKvStore } from "./set.ts";

export const kvStores = createRouter();

const TAGS = ["Store", "Extensions"];
const NamePath = z.object({ store_name: z.string() });
const ok = z.object({ success: z.literal(true) });

kvStores.openapi(
  operation({
    method: "get",
    path: "/{store_name}",
    operationId: "getKvStore",
    summary: "Read a key-value store",
    description: "With the version to send along when it is written, so that no other's change is lost.",
    tags: TAGS,
    permission: "store",
    request: { params: NamePath },
    responses: { 200: answers("The whole store", KvStore), ...fails("resource_not_found") },
  }),
  async (c) => c.json(await getKvStore(c.get("ctx"), c.req.valid("param").store_name), 200),
);

kvStores.openapi(
  operation({
    method: "post",
    path: "/",
    operationId: "setKvStore",
    summary: "Write a key-value store",
    description:
      `The whole of it, at most ${LIMITS.kvBytesMax / 1024} KiB. 409 says that another has written since ` +
      "`existing_version_id` was read.",
    tags: TAGS,
    permission: "store",
    request: { body: { required: true, ...json(NewKvVersion) } },
    responses: {
      200: answers("The new version", ok.extend({ version_id: z.string() }).openapi("KvVersion")),
      ...fails("resource_conflict", ...BODY_FAILURES),
    },
  }),
  async (c) => c.json({ success: true as const, version_id: await setKvStore(c.get("ctx"), c.req.valid("json")) }, 200),
);

kvStores.openapi(
  operation({
    method: "delete",
    path: "/",
    operationId: "deleteKvStore",
    summary: "Delete a key-value store",
    description: "The name is in the body. A store that is not there is no failure.",
    tags: TAGS,
    permission: "store",
    request: { body: { required: true, ...json(KvStoreRef) } },
    responses: {
      200: answers("Whether there was one", ok.extend({ deleted: z.boolean() }).openapi("KvDeletion")),
      ...fails(...BODY_FAILURES),
    },
  }),
  async (c) =>
    c.json({ success: true as const, deleted: await deleteKvStore(c.get("ctx"), c.req.valid("json").name) }, 200),
);
