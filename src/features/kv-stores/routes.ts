// /v1/store: key-value stores, which scripts keep between runs. The shapes are those that existing clients send and
// read.

import { z } from "@hono/zod-openapi";
import { KV_LIMITS } from "./limits.ts";
import { plain, succeeded } from "../../http/answer.ts";
import { createRouter } from "../../http/router.ts";
import { deleteKvStore } from "./delete.ts";
import { getKvStore } from "./get.ts";
import { KvStore, KvStoreRef, NewKvVersion } from "./kv-store.ts";
import { setKvStore } from "./set.ts";

export const kvStores = createRouter(["Store", "Extensions"]);

const NamePath = z.object({ store_name: z.string() });
const ok = z.object({ success: z.literal(true) });

kvStores.operation("getKvStore", "GET /{store_name}", {
  permission: "store",
  summary: "Read a key-value store",
  description: "With the version to send along when it is written, so that no other's change is lost.",
  params: NamePath,
  answer: plain("The whole store", KvStore),
  run: (ctx, { params }) => getKvStore(ctx, params.store_name),
});

kvStores.operation("setKvStore", "POST /", {
  permission: "store",
  audit: "kv_store.set",
  summary: "Write a key-value store",
  description:
    `The whole of it, at most ${KV_LIMITS.bytesMax / 1024} KiB. 409 says that another has written since ` +
    "`existing_version_id` was read.",
  body: NewKvVersion,
  answer: succeeded("The new version", ok.extend({ version_id: z.string() }).openapi("KvVersion")),
  fails: ["resource_conflict"],
  run: async (ctx, { body }) => ({ version_id: await setKvStore(ctx, body) }),
});

kvStores.operation("deleteKvStore", "DELETE /", {
  permission: "store",
  audit: "kv_store.delete",
  summary: "Delete a key-value store",
  description: "The name is in the body. A store that is not there is no failure.",
  body: KvStoreRef,
  answer: succeeded("Whether there was one", ok.extend({ deleted: z.boolean() }).openapi("KvDeletion")),
  run: async (ctx, { body }) => ({ deleted: await deleteKvStore(ctx, body.name) }),
});
