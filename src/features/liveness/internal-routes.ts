// POST /internal/wake: has a team's engine and sandbox started, so that its first query and its first run find them.
// Nothing else does that without work for them; who holds the deployment's own secret may.

import { z } from "@hono/zod-openapi";
import { clientsOf } from "../../http/app-env.ts";
import { readBearer, readBody } from "../../http/request/container-call.ts";
import { createRouter } from "../../http/router.ts";

export const wakeInternal = createRouter();

/** The token says it all. */
const NOTHING = z.strictObject({});

wakeInternal.post("/", async (c) => {
  const { teamId } = await readBearer(c, "wake");
  await readBody(c, NOTHING);
  const { openEngine, openSandbox } = clientsOf(c);
  await Promise.all([openEngine(teamId).wake(), openSandbox(teamId).wake()]);
  return c.body(null, 204);
});
