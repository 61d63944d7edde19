// /v1/store and /v1/api/secret: what scripts keep. The shapes are those that existing clients send and read.

import { createRoute, z } from "@hono/zod-openapi";
import { LIMITS } from "../../core/limits.ts";
import { answers, BODY_FAILURES, fails, json } from "../../http/answer.ts";
import { permit } from "../../http/permit.ts";
import { createRouter } from "../../http/router.ts";
import { deleteKvStore } from "./delete.ts";
import { getKvStore } from "./get.ts";
import { KvStore, KvStoreRef, NewKvVersion } from "./kv-store.ts";
import { SecretValue } from "./secret.ts";
import { deleteSecret, getSecret, listSecrets, setSecret } from "./secrets.ts";
import { setKvStore } from "./set.ts";

export const kvStores = createRouter();
export const secrets = createRouter();

const TAGS = ["Store", "Extensions"];
const NamePath = z.object({ store_name: z.string() });
const KeyPath = z.object({
  secret_key: z.string().openapi({ description: "Letters, digits, _ . and -, at most 128." }),
});
const ok = z.object({ success: z.literal(true) });
const Done = ok.openapi("Done");
const SecretKeys = z.object({ secrets: z.array(z.string()) }).openapi("SecretKeys");

kvStores.openapi(
  createRoute({
    method: "get",
    path: "/{store_name}",
    operationId: "getKvStore",
    summary: "Read a key-value store",
    description: "With the version to send along when it is written, so that no other's change is lost.",
    tags: TAGS,
    middleware: [permit("store")] as const,
    request: { params: NamePath },
    responses: { 200: answers("The whole store", KvStore), ...fails("resource_not_found") },
  }),
  async (c) => c.json(await getKvStore(c.get("ctx"), c.req.valid("param").store_name), 200),
);

kvStores.openapi(
  createRoute({
    method: "post",
    path: "/",
    operationId: "setKvStore",
    summary: "Write a key-value store",
    description: `The whole of it, at most ${LIMITS.kvBytesMax / 1024} KiB. 409 says that another has written since \`existing_version_id\` was read.`,
    tags: TAGS,
    middleware: [permit("store")] as const,
    request: { body: { required: true, ...json(NewKvVersion) } },
    responses: {
      200: answers("The new version", ok.extend({ version_id: z.string() }).openapi("KvVersion")),
      ...fails("resource_conflict", ...BODY_FAILURES),
    },
  }),
  async (c) => c.json({ success: true as const, version_id: await setKvStore(c.get("ctx"), c.req.valid("json")) }, 200),
);

kvStores.openapi(
  createRoute({
    method: "delete",
    path: "/",
    operationId: "deleteKvStore",
    summary: "Delete a key-value store",
    description: "The name is in the body. A store that is not there is no failure.",
    tags: TAGS,
    middleware: [permit("store")] as const,
    request: { body: { required: true, ...json(KvStoreRef) } },
    responses: {
      200: answers("Whether there was one", ok.extend({ deleted: z.boolean() }).openapi("KvDeletion")),
      ...fails(...BODY_FAILURES),
    },
  }),
  async (c) =>
    c.json({ success: true as const, deleted: await deleteKvStore(c.get("ctx"), c.req.valid("json").name) }, 200),
);

secrets.openapi(
  createRoute({
    method: "get",
    path: "/",
    operationId: "listSecrets",
    summary: "List the keys of the team's secrets",
    description: "In order. The values are read one by one.",
    tags: TAGS,
    middleware: [permit("secrets:read")] as const,
    responses: { 200: answers("The keys, in order", SecretKeys), ...fails() },
  }),
  async (c) => c.json({ secrets: await listSecrets(c.get("ctx")) }, 200),
);

secrets.openapi(
  createRoute({
    method: "get",
    path: "/{secret_key}",
    operationId: "getSecret",
    summary: "Read a secret",
    description: "As it was written. Members may read secrets, since their runs do.",
    tags: TAGS,
    middleware: [permit("secrets:read")] as const,
    request: { params: KeyPath },
    responses: { 200: answers("The value", SecretValue), ...fails("resource_not_found") },
  }),
  async (c) => c.json({ value: await getSecret(c.get("ctx"), c.req.valid("param").secret_key) }, 200),
);

secrets.openapi(
  createRoute({
    method: "post",
    path: "/{secret_key}",
    operationId: "setSecret",
    summary: "Write a secret",
    description: `At most ${LIMITS.secretBytesMax / 1024} KiB, sealed as credentials are.`,
    tags: TAGS,
    middleware: [permit("secrets:write")] as const,
    request: { params: KeyPath, body: { required: true, ...json(SecretValue) } },
    responses: { 200: answers("Written", Done), ...fails("resource_not_found", ...BODY_FAILURES) },
  }),
  async (c) => {
    await setSecret(c.get("ctx"), c.req.valid("param").secret_key, c.req.valid("json"));
    return c.json({ success: true as const }, 200);
  },
);

secrets.openapi(
  createRoute({
    method: "delete",
    path: "/{secret_key}",
    operationId: "deleteSecret",
    summary: "Delete a secret",
    description: "For good; a run that has read it keeps what it has.",
    tags: TAGS,
    middleware: [permit("secrets:write")] as const,
    request: { params: KeyPath },
    responses: { 200: answers("Deleted", Done), ...fails("resource_not_found") },
  }),
  async (c) => {
    await deleteSecret(c.get("ctx"), c.req.valid("param").secret_key);
    return c.json({ success: true as const }, 200);
  },
);
