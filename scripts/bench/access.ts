// What data-access roles cost: a statement of a member with many roles beside an admin's, and a scan that a role
// filters beside the same predicate typed by hand, through the whole product.

import { alternate, fixed, machineLoad, median, percentile, printTable, say, timed } from "./support/measure.ts";
import { startPlatform, type Platform } from "./support/platform.ts";

const ROLES = 200;
const TABLES = 1_000;
const ROUNDS = 60;
const SCAN_ROUNDS = 25;
const AIM = { statementMs: 2, scanFactor: 1.2 };

const POINT = "SELECT name FROM LAKE.sample.products WHERE product_id = 7";
const SCAN = "SELECT channel, count(*) AS orders, avg(shipping_fee) AS fee FROM LAKE.sample.orders GROUP BY ALL";
const FILTERED = SCAN.replace("GROUP", "WHERE status = 'delivered' GROUP");

export async function benchAccess(): Promise<void> {
  const platform = await startPlatform();
  try {
    const ask = asker(platform);
    const [many, filtered] = [await newMember(ask), await newMember(ask)];
    const startedAt = performance.now();
    await addRoles(ask, many.id);
    const filters = [{ member: "status", operator: "equals", values: ["delivered"] }];
    await addRole(ask, filtered.id, "filtered", [{ integration_id: "*", schema: "*", filters }]);
    say(`${ROLES} roles of ${TABLES} tables each were made in ${fixed((performance.now() - startedAt) / 1_000)} s.`);
    const first = await timed(() => run(ask, many.key, POINT));
    await reportStatements(ask, platform.key, many.key, first);
    await reportScans(ask, platform.key, filtered.key);
  } finally {
    await platform.stop();
  }
}

type Ask = (
  method: string,
  path: string,
  body?: object,
  key?: string,
) => Promise<{ data: { id: string; key: string } }>;
type Member = { id: string; key: string };

const asker =
  ({ url, key: admin }: Platform): Ask =>
  async (method, path, body, key = admin) => {
    const headers = { authorization: `Bearer ${key}`, ...(body && { "content-type": "application/json" }) };
    const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text.slice(0, 500)}`);
    return text === "" ? undefined : JSON.parse(text);
  };

async function newMember(ask: Ask): Promise<Member> {
  const user = { name: "Bench", email: `${crypto.randomUUID()}@example.com`, role: "member" };
  const { id } = (await ask("POST", "/v4/users", user)).data;
  return { id, key: (await ask("POST", `/v4/users/${id}/keys`, { name: "bench" })).data.key };
}

async function addRole(ask: Ask, userId: string, name: string, grants: object[]): Promise<void> {
  const { id } = (await ask("POST", "/v4/data-access/roles", { name, grants })).data;
  await ask("PUT", `/v4/data-access/roles/${id}/members/${userId}`);
}

/** The last table of each is the role's own, so that no two grant the same. */
async function addRoles(ask: Ask, userId: string): Promise<void> {
  const shared = Array.from({ length: TABLES - 2 }, (_, i) => ({
    integration_id: "*",
    schema: "other",
    table: `t${i}`,
  }));
  const sample = { integration_id: "*", schema: "sample", table: "products" };
  for (let role = 0; role < ROLES; role++)
    await addRole(ask, userId, `role ${role}`, [...shared, sample, { ...sample, table: `own${role}` }]);
}

/** `invalidate`: each is to run, whatever is kept of it. */
const run = (ask: Ask, key: string, sql: string) => ask("POST", "/v1/query", { sql, invalidate: true }, key);

async function reportStatements(ask: Ask, admin: string, member: string, firstMs: number): Promise<void> {
  const times = await alternate(ROUNDS, {
    admin: () => timed(() => run(ask, admin, POINT)),
    member: () => timed(() => run(ask, member, POINT)),
  });
  const row = (label: string, ms: number[]) => [label, fixed(median(ms)), fixed(percentile(ms, 0.95))];
  printTable(
    `Data access: a point query, ${ROUNDS} alternating rounds, milliseconds`,
    ["", "p50", "p95"],
    [row("an admin", times.admin), row(`a member with ${ROLES} roles of ${TABLES} tables`, times.member)],
  );
  const cost = median(times.member.map((ms, round) => ms - times.admin[round]!));
  say(
    `Roles cost ${fixed(cost, 2)} ms a statement, and ${fixed(firstMs, 0)} ms the first one had, which loads them. ` +
      `Aim: less than ${AIM.statementMs} ms. ${cost < AIM.statementMs ? "Reached." : "Missed."} Load ${machineLoad()}.`,
  );
}

async function reportScans(ask: Ask, admin: string, member: string): Promise<void> {
  await Promise.all([run(ask, admin, FILTERED), run(ask, member, SCAN)]);
  const times = await alternate(SCAN_ROUNDS, {
    typed: () => timed(() => run(ask, admin, FILTERED)),
    role: () => timed(() => run(ask, member, SCAN)),
  });
  printTable(
    `Data access: a filtered scan, ${SCAN_ROUNDS} alternating rounds, milliseconds`,
    ["", "p50"],
    [
      ["the predicate typed by hand", fixed(median(times.typed))],
      ["the role's filter", fixed(median(times.role))],
    ],
  );
  const factor = median(times.role.map((ms, round) => ms / times.typed[round]!));
  say(
    `The role's filter takes ${fixed(factor, 2)}× of the typed one. Aim: within ${AIM.scanFactor}. ` +
      `${factor <= AIM.scanFactor ? "Reached." : "Missed."} Load ${machineLoad()}.`,
  );
}
