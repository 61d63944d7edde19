import { HEALTH_LIMITS } from "./limits.ts";
import type { Health } from "./health.ts";
import type { Needs } from "../../clients/context.ts";
import { isAnswering } from "../../platform/db/client.ts";

export type HealthDeps = Needs<"db" | "bucket" | "openEngine" | "openSandbox">;

/** Asks every part at once; one that fails or is slower than the bound is false. Wakes nothing. */
export async function checkHealth({ db, bucket, openEngine, openSandbox }: HealthDeps): Promise<Health> {
  const deadline = AbortSignal.timeout(HEALTH_LIMITS.checkMs);
  const [network, database, storage, engine, sandbox] = await Promise.all([
    answers("network", deadline, async () => {
      await bucket.pingEndpoint(deadline);
      return true;
    }),
    answers("database", deadline, () => isAnswering(db)),
    answers("storage", deadline, async () => {
      await bucket.find(ABSENT_KEY);
      return true;
    }),
    answers("engine", deadline, () => openEngine(PROBE_TEAM).probe()),
    answers("sandbox", deadline, () => openSandbox(PROBE_TEAM).probe()),
  ]);
  return { network, database, storage, engine, sandbox };
}

/** No object is ever written here: that the bucket says so is the answer. */
const ABSENT_KEY = "health";

/** Names a team that nobody has: its engine and its sandbox are never started. */
const PROBE_TEAM = "health";

async function answers(part: keyof Health, deadline: AbortSignal, ask: () => Promise<boolean>): Promise<boolean> {
  const tooLate = new Promise<never>((_, reject) =>
    deadline.addEventListener("abort", () => reject(new Error("No answer in time.")), { once: true }),
  );
  try {
    return await Promise.race([ask(), tooLate]);
  } catch (error) {
    console.warn(JSON.stringify({ event: "health_failed", part, cause: String(error) }));
    return false;
  }
}
