// This benchmark measures what a second engine brings a busy team: statements a second of many clients, for a team with
// one engine and one with two, each engine held to a part of a core.

import { setTimeout as pause } from "node:timers/promises";
import { ENGINE_PROGRAM, isRunning, listFamily } from "../../../test/support/node/programs/processes.ts";
import { askJson } from "../support/ask.ts";
import { holdGroup, type HeldGroup } from "../support/hold-processes.ts";
import { alternate, fixed, machineLoad, median, printTable, ratio, say } from "../support/measure.ts";
import { startPlatform, type Platform } from "../support/platform.ts";
import { simulateClients } from "./simulated-clients.ts";

const CLIENTS = 16;
const CORES = 0.4;
const ROUNDS = 5;
const ROUND_MS = 10_000;
const WARM_MS_MAX = 120_000;
const LOOK_MS = 500;
const AIM = 1.7;

/** No two have the same text, so that each runs. */
let asked = 0;
const nextStatement = (): string =>
  `SELECT category, count(DISTINCT order_id) AS orders, sum(quantity * unit_price - discount) AS revenue
   FROM LAKE.sample.order_items JOIN LAKE.sample.products USING (product_id) WHERE quantity > ${-++asked}
   GROUP BY category ORDER BY revenue DESC LIMIT 3`;

type BenchedTeam = { key: string; url: string };

export async function reportSeveralEngines(): Promise<void> {
  const group = await holdGroup(CORES);
  await group?.release();
  if (!group) return reportSimulated();
  const platform = await startPlatform({ FJORD_VAR_ENGINES_PER_TEAM: "2" });
  const holder = holdEngines(platform);
  try {
    const teams = { one: await makeTeam(platform, "trial"), two: await makeTeam(platform, "standard") };
    await warm(teams.one, 1);
    await warm(teams.two, 2);
    const contenders = { one: () => throughput(teams.one), two: () => throughput(teams.two) };
    const { one, two } = await alternate(ROUNDS, contenders);
    report(`each held to ${CORES} of a core`, one, two);
  } finally {
    await platform.stop();
    await holder.stop();
  }
}

function reportSimulated(): void {
  const [one, two] = [1, 2].map((engines) => [simulateClients(engines, CLIENTS)]);
  say("This machine has no way to hold processes to a part of a core: what follows is a simulation.");
  report("simulated", one!, two!);
}

function report(how: string, one: number[], two: number[]): void {
  printTable(
    `A statement of a busy team, ${CLIENTS} clients at once: statements/s, medians of ${one.length} alternating rounds`,
    [how, "statements/s"],
    [
      ["one engine", fixed(median(one), 2)],
      ["two engines", fixed(median(two), 2)],
    ],
  );
  const reached = ratio(two, one);
  say(
    `Two engines do ${fixed(reached, 2)} times what one does; aim ${AIM}: ` +
      `${reached >= AIM ? "reached" : "missed"}. Load of the machine ${machineLoad()}.`,
  );
}

/** Holds each engine of the platform's as soon as it is there, with all that it has started and starts. */
function holdEngines(platform: Platform): { stop(): Promise<void> } {
  const groups = new Map<number, Promise<HeldGroup | undefined>>();
  const held = new Set<number>();
  const hold = async (engine: number): Promise<void> => {
    if (!groups.has(engine)) groups.set(engine, holdGroup(CORES));
    const group = await groups.get(engine);
    for (const { pid } of await listFamily(engine)) {
      if (held.has(pid)) continue;
      held.add(pid);
      await group?.add(pid).catch(() => undefined);
    }
  };
  const look = async (): Promise<void> => {
    const engines = (await listFamily(platform.pid)).filter(isRunning(ENGINE_PROGRAM));
    for (const { pid } of engines) await hold(pid);
  };
  const timer = setInterval(() => void look().catch(() => undefined), LOOK_MS);
  return {
    async stop() {
      clearInterval(timer);
      for (const group of groups.values()) await (await group)?.release();
    },
  };
}

type Made = { data: { api_key: { key: string } } };
type Sample = { sample: { status: string } };

/** A team with the sample in its lake. */
async function makeTeam({ url, key }: Platform, plan: string): Promise<BenchedTeam> {
  const admin = { name: "Ada", email: `ada@${plan}.example` };
  const made = await post<Made>(`${url}/v4/admin/teams`, key, { name: plan, plan, admin });
  const team = { url, key: made.data.api_key.key };
  const lakes = await get<{ data: { id: string }[] }>(`${url}/v1/api/integrations?type=lake`, team.key);
  const path = `${url}/v1/api/integrations/${lakes.data[0]!.id}/sample`;
  await post(path, team.key, {});
  for (const until = Date.now() + WARM_MS_MAX; (await get<Sample>(path, team.key)).sample.status !== "loaded"; ) {
    if (Date.now() > until) throw new Error("The sample did not load.");
    await pause(LOOK_MS);
  }
  return team;
}

/** Asks until so many engines have answered, and each has what it reads. */
async function warm(team: BenchedTeam, engines: number): Promise<void> {
  const answered = new Set<string>();
  for (const until = Date.now() + WARM_MS_MAX; answered.size < engines; ) {
    if (Date.now() > until) throw new Error(`Only ${answered.size} engines have answered.`);
    await Promise.all(Array.from({ length: CLIENTS }, async () => answered.add(await ask(team))));
  }
  await throughput(team);
}

/** Statements a second of clients that each ask again as soon as they are answered. */
async function throughput(team: BenchedTeam): Promise<number> {
  const startedAt = performance.now();
  let answered = 0;
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      for (; performance.now() < startedAt + ROUND_MS; answered++) await ask(team);
    }),
  );
  return (answered * 1_000) / (performance.now() - startedAt);
}

/** Answers which engine has answered; the same for all of a team that has one. */
async function ask({ url, key }: BenchedTeam): Promise<string> {
  const body = { sql: nextStatement() };
  const { document, serverTiming } = await askJson<{ success: boolean }>({ url: `${url}/v1/query`, key, body });
  if (!document.success) throw new Error(`A statement failed: ${JSON.stringify(document)}`);
  return /engine \d of \d/.exec(serverTiming ?? "")?.[0] ?? "";
}

async function post<Answer>(url: string, key: string, body: object): Promise<Answer> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  return readAnswer<Answer>(await fetch(url, { method: "POST", headers, body: JSON.stringify(body) }));
}

const get = async <Answer>(url: string, key: string): Promise<Answer> =>
  readAnswer<Answer>(await fetch(url, { headers: { authorization: `Bearer ${key}` } }));

async function readAnswer<Answer>(answer: Response): Promise<Answer> {
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Answer;
}
