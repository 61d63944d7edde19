// Lake queries at an engine and through the product, and engines that begin anew.

import type { LakeGrant } from "../../../kernel/wire/engine.ts";
import { aStatement, startEngine, type Engine } from "../../../test/support/node/programs/engine.ts";
import { askJson } from "../support/ask.ts";
import { phasesOf, type PhaseTimes } from "../support/phases.ts";
import type { Platform } from "../support/platform.ts";

/** An engine beside the platform's own, which we may ask ourselves. */
export const startOwnEngine = (platform: Platform): Promise<Engine> =>
  startEngine({ hostsAllowed: "loopback", platformUrl: platform.url });

const ENGINE = "containers/engine/main.ts";

/**
 * Resolves when they are gone: a request that reaches a dying engine is lost, and says so instead of being repeated.
 */
export async function killEngines(platform: Platform): Promise<void> {
  for (const pid of await platform.find(ENGINE)) process.kill(pid, "SIGKILL");
  const until = Date.now() + 10_000;
  while ((await platform.find(ENGINE)).length) {
    if (Date.now() > until) throw new Error("The engine did not die.");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** `engineMs`: the statement's time in the engine, by the engine's own clock. */
export type Answered = { rows: unknown[]; phases: PhaseTimes; engineMs: number };

/** What is measured is to run, whatever is kept of it. */
const RUN = { invalidate: true };

export async function askEngine(
  { url, secret }: Engine,
  lake: LakeGrant,
  sql: string,
  options = RUN,
): Promise<Answered> {
  const body = aStatement({ sql, target: { kind: "lake", lake }, ...options });
  return ask(`${url}/statements`, secret, body);
}

/** `options`: those of `POST /v1/query` besides. */
export async function askProduct(
  { url, key }: Pick<Platform, "url" | "key">,
  sql: string,
  options = RUN,
): Promise<Answered> {
  return ask(`${url}/v1/query`, key, { sql, ...options });
}

type Document = { success: boolean; data: unknown[]; timing: { durationMs: number; phases?: PhaseTimes } };

async function ask(url: string, key: string, body: object): Promise<Answered> {
  const { document, serverTiming } = await askJson<Document>({ url, key, body });
  if (!document.success) throw new Error(`A lake query failed: ${JSON.stringify(document)}`);
  const { data: rows, timing } = document;
  return { rows, phases: phasesOf(serverTiming, document), engineMs: timing.durationMs };
}
