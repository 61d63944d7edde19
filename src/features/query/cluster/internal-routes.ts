// An engine's report of what a statement took at a team's own cluster. It comes with a token, good for one statement.

import { ClusterUse } from "../../../../kernel/wire/statements/cluster.ts";
import { notFound } from "../../../core/problem.ts";
import { clientsOf } from "../../../http/app-env.ts";
import { readBearer, readBody } from "../../../http/request/container-call.ts";
import { createRouter } from "../../../http/router.ts";
import { countClusterBytes } from "../../quotas/count-cluster-bytes.ts";

export const clusterStatementsInternal = createRouter();

/** What was held for the statement is let go, and its bytes are counted once: by the report that finds them held. */
clusterStatementsInternal.post("/:statementId/use", async (c) => {
  const { teamId, lakeId, statementId } = await readBearer(c, "cluster");
  const asked = c.req.param("statementId") ?? "";
  if (asked !== statementId) throw notFound("Statement", asked);
  const { bytesRead } = await readBody(c, ClusterUse);
  const { db, openLake } = clientsOf(c);
  if (await openLake(lakeId).releasePins(statementId))
    await countClusterBytes(db, { teamId, now: new Date() }, bytesRead);
  return c.body(null, 204);
});
