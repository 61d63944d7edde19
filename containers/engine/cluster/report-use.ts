// The platform is told what a statement took at a cluster, and that nothing need be held for it any more.

import { z } from "zod";
import type { ClusterTarget, ClusterUse } from "../../../kernel/wire/statements/cluster.ts";
import { askPlatform } from "../platform/ask-platform.ts";

const REPORT_ATTEMPTS = 6;
const REPORT_MS = 30_000;

type Reported = { id: string; target: Pick<ClusterTarget, "token"> };

/** Never rejects: the platform finds out by itself, late, where the report does not reach it. */
export async function reportUse({ id, target: { token } }: Reported, platformUrl: string, body: ClusterUse) {
  if (token === undefined) return;
  const request = {
    path: `/internal/cluster-statements/${encodeURIComponent(id)}/use`,
    body,
    answer: z.unknown(),
    attempts: REPORT_ATTEMPTS,
    signal: AbortSignal.timeout(REPORT_MS),
  };
  await askPlatform({ platformUrl, token }, request).catch(() =>
    console.error(`statement ${id}: what it took at the cluster could not be reported`),
  );
}

/** {@link reportUse} of a statement that did not have to run at the cluster. */
export const reportUnused = (statement: Reported, platformUrl: string): Promise<void> =>
  reportUse(statement, platformUrl, { bytesRead: 0, outcome: "cancelled" });
