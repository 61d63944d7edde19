import { LIMITS } from "../../core/limits.ts";
import { openEngine } from "../../platform/engine/engine.ts";
import { openSandbox } from "../../platform/sandbox/sandbox.ts";
import type { Health } from "./health.ts";

/** Asks every part at once; one that fails or is slower than the bound is false. Wakes nothing. */
export async function checkHealth(env: Env): Promise<Health> {
  const deadline = AbortSignal.timeout(LIMITS.healthMs);
  const [network, database, storage, engine, sandbox] = await Promise.all([
    answers("network", deadline, async () => {
      // Any HTTP answer will do: what is asked is whether the network carries one.
      const response = await fetch(new URL(env.S3_ENDPOINT).origin, {
        method: "HEAD",
        redirect: "manual",
        signal: deadline,
      });
      await response.body?.cancel();
      return true;
    }),
    answers("database", deadline, async () => (await env.DB.prepare("select 1 as one").first("one")) === 1),
    answers("storage", deadline, async () => {
      await env.BUCKET.head(ABSENT_KEY);
      return true;
    }),
    answers("engine", deadline, () => openEngine(env, PROBE_TEAM).probe()),
    answers("sandbox", deadline, () => openSandbox(env, PROBE_TEAM).probe()),
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
