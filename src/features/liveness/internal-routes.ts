// POST /internal/wake: has a team's engine or sandbox started, so that its first query or its first run finds it up.
// Nothing else does that without work for them; who holds the deployment's own secret may.

import { z } from "@hono/zod-openapi";
import { clientsOf } from "../../http/app-env.ts";
import { readBearer, readBody } from "../../http/request/container-call.ts";
import { createRouter } from "../../http/router.ts";

export const wakeInternal = createRouter();

/** The token says whose. */
const WAKE = z.strictObject({ program: z.enum(["engine", "sandbox"]) });

wakeInternal.post("/", async (c) => {
  const { teamId } = await readBearer(c, "wake");
  const { program } = await readBody(c, WAKE);
  const { openEngine, openSandbox } = clientsOf(c);
  await { engine: openEngine, sandbox: openSandbox }[program](teamId).wake();
  return c.body(null, 204);
});
