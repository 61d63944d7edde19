// /v1/api/secret: secrets, which scripts read. The shapes are those that existing clients send and read.

import { z } from "@hono/zod-openapi";
import { LIMITS } from "../../core/limits.ts";
import { answers, BODY_FAILURES, fails, json } from "../../http/answer.ts";
import { operation } from "../../http/operation.ts";
import { createRouter } from "../../http/router.ts";
import { deleteSecret } from "./delete.ts";
import { getSecret } from "./get.ts";
import { listSecrets } from "./list.ts";
import { SecretValue } from "./secret.ts";
import { setSecret } from "./set.ts";

export const secrets = createRouter();

const TAGS = ["Store", "Extensions"];
const KeyPath = z.object({
  secret_key: z.string().openapi({ description: "Letters, digits, _ . and -, at most 128." }),
});
const Done = z.object({ success: z.literal(true) }).openapi("Done");
const SecretKeys = z.object({ secrets: z.array(z.string()) }).openapi("SecretKeys");

secrets.openapi(
  operation({
    method: "get",
    path: "/",
    operationId: "listSecrets",
    summary: "List the keys of the team's secrets",
    description: "In order. The values are read one by one.",
    tags: TAGS,
    permission: "secrets:read",
    responses: { 200: answers("The keys, in order", SecretKeys), ...fails() },
  }),
  async (c) => c.json({ secrets: await listSecrets(c.get("ctx")) }, 200),
);

secrets.openapi(
  operation({
    method: "get",
    path: "/{secret_key}",
    operationId: "getSecret",
    summary: "Read a secret",
    description: "As it was written. Members may read secrets, since their runs do.",
    tags: TAGS,
    permission: "secrets:read",
    request: { params: KeyPath },
    responses: { 200: answers("The value", SecretValue), ...fails("resource_not_found") },
  }),
  async (c) => c.json({ value: await getSecret(c.get("ctx"), c.req.valid("param").secret_key) }, 200),
);

secrets.openapi(
  operation({
    method: "post",
    path: "/{secret_key}",
    operationId: "setSecret",
    summary: "Write a secret",
    description: `At most ${LIMITS.secretBytesMax / 1024} KiB, sealed as credentials are.`,
    tags: TAGS,
    permission: "secrets:write",
    request: { params: KeyPath, body: { required: true, ...json(SecretValue) } },
    responses: { 200: answers("Written", Done), ...fails("resource_not_found", ...BODY_FAILURES) },
  }),
  async (c) => {
    await setSecret(c.get("ctx"), c.req.valid("param").secret_key, c.req.valid("json"));
    return c.json({ success: true as const }, 200);
  },
);

secrets.openapi(
  operation({
    method: "delete",
    path: "/{secret_key}",
    operationId: "deleteSecret",
    summary: "Delete a secret",
    description: "For good; a run that has read it keeps what it has.",
    tags: TAGS,
    permission: "secrets:write",
    request: { params: KeyPath },
    responses: { 200: answers("Deleted", Done), ...fails("resource_not_found") },
  }),
  async (c) => {
    await deleteSecret(c.get("ctx"), c.req.valid("param").secret_key);
    return c.json({ success: true as const }, 200);
  },
);
