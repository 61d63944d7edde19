// /v1/api/secret: secrets, which scripts read. The shapes are those that existing clients send and read.

import { z } from "@hono/zod-openapi";
import { SECRET_LIMITS } from "./limits.ts";
import { plain, succeeded } from "../../http/answer.ts";
import { createRouter } from "../../http/router.ts";
import { deleteSecret } from "./delete.ts";
import { getSecret } from "./get.ts";
import { listSecrets } from "./list.ts";
import { SecretValue } from "./secret.ts";
import { setSecret } from "./set.ts";

export const secrets = createRouter(["Store", "Extensions"]);

const KeyPath = z.object({
  secret_key: z.string().openapi({ description: "Letters, digits, _ . and -, at most 128." }),
});
const Done = z.object({ success: z.literal(true) }).openapi("Done");
const SecretKeys = z.object({ secrets: z.array(z.string()) }).openapi("SecretKeys");

secrets.operation("listSecrets", "GET /", {
  permission: "secrets:read",
  summary: "List the keys of the team's secrets",
  description: "In order. The values are read one by one.",
  answer: plain("The keys, in order", SecretKeys),
  run: async (ctx) => ({ secrets: await listSecrets(ctx) }),
});

secrets.operation("getSecret", "GET /{secret_key}", {
  permission: "secrets:read",
  summary: "Read a secret",
  description: "As it was written. Members may read secrets, since their runs do.",
  params: KeyPath,
  answer: plain("The value", SecretValue),
  run: async (ctx, { params }) => ({ value: await getSecret(ctx, params.secret_key) }),
});

secrets.operation("setSecret", "POST /{secret_key}", {
  permission: "secrets:write",
  audit: "secret.set",
  summary: "Write a secret",
  description: `At most ${SECRET_LIMITS.bytesMax / 1024} KiB, sealed as credentials are.`,
  params: KeyPath,
  body: SecretValue,
  answer: succeeded("Written", Done),
  run: (ctx, { params, body }) => setSecret(ctx, params.secret_key, body),
});

secrets.operation("deleteSecret", "DELETE /{secret_key}", {
  permission: "secrets:write",
  audit: "secret.delete",
  summary: "Delete a secret",
  description: "For good; a run that has read it keeps what it has.",
  params: KeyPath,
  answer: succeeded("Deleted", Done),
  run: (ctx, { params }) => deleteSecret(ctx, params.secret_key),
});
