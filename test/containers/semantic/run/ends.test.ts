// How semantic statements end that don't come to their end by themselves, and what large ones take.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AccessRoles } from "../../../../kernel/access/access.ts";
import { EngineFailure } from "../../../../kernel/wire/engine.ts";
import type { SemanticModel } from "../../../../kernel/semantic/model.ts";
import { aGrant } from "../../../support/node/access/a-grant.ts";
import { column } from "../../../support/node/lake/test-lake.ts";
import {
  SCHEMA,
  PLACES,
  SemanticEngine,
  type Place,
  type SemanticRequest,
} from "../../../support/node/semantic/semantic-engine.ts";

const ROWS = 60_000;
const EVENTS = {
  name: "events",
  columns: [column(1, "id", "int32"), column(2, "note", "varchar"), column(3, "region", "varchar")],
  types: {
    id: { postgres: "integer", mysql: "int" },
    note: { postgres: "varchar", mysql: "varchar(40)" },
    region: { postgres: "varchar", mysql: "varchar(10)" },
  },
  rows: Array.from({ length: ROWS }, (_, i) => `(${i + 1}, 'note ${i + 1}', '${i % 4 === 0 ? "no" : "se"}')`),
  fileRows: 30_000,
};
/** Takes for ever on each of the databases. */
const SLOW: Record<Place, string> = {
  lake: "(SELECT count(*) FROM range(100000000) a, range(100000) b WHERE (a.range * b.range) % 7 = 3)",
  postgres:
    "(SELECT count(*) FROM generate_series(1, 100000000) a, generate_series(1, 100000) b WHERE (a::bigint * b) % 7 = 3)",
  mysql: "(SELECT SLEEP(60))",
};
const modelAt = (place: Place): SemanticModel => ({
  cubes: [
    {
      name: "events",
      sql_table: `${SCHEMA}.events`,
      dimensions: [
        { name: "id", sql: "id", type: "number", primary_key: true },
        { name: "note", sql: "note", type: "string" },
        { name: "region", sql: "region", type: "string" },
        { name: "slow", sql: SLOW[place], type: "number" },
      ],
      measures: [{ name: "count", type: "count" }],
    },
  ],
  views: [],
});

let engine: SemanticEngine;
beforeAll(async () => void (engine = await SemanticEngine.open([EVENTS])), 120_000);
afterAll(() => engine.close());

const ask = (place: Place, asked: SemanticRequest) => engine.ask(place, { model: modelAt(place), ...asked });
const failureOf = async (response: Response) => EngineFailure.parse(await response.json());
/** `data` in any of its layouts. */
type Laid = Partial<unknown[]> & { dataset?: unknown[]; columns?: unknown[][] };
const documentOf = async (response: Response) => (await response.json()) as { data: Laid };
const until = async (isSo: () => boolean) => {
  for (const end = Date.now() + 20_000; !isSo(); ) {
    if (Date.now() > end) throw new Error("it did not come to that");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};
const ended = () => until(() => engine.statements.running === 0);
const SLOWLY = { query: { dimensions: ["events.slow"] } };

describe.each(PLACES)("on %s", (place) => {
  it("ends at its deadline", async () => {
    const response = await ask(place, { ...SLOWLY, request: { deadlineMs: 1_500 } });
    expect(await failureOf(response)).toMatchObject({ code: "deadline_exceeded" });
    await ended();
  });

  it("ends when it is cancelled, when nobody renews its lease, and when its caller goes", async () => {
    const id = crypto.randomUUID();
    const cancelled = ask(place, { ...SLOWLY, request: { id } });
    await until(() => engine.statements.running === 1);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(engine.statements.cancel(id)).toBe(true);
    expect(await failureOf(await cancelled)).toMatchObject({ code: "cancelled" });

    const lapsed = await ask(place, { ...SLOWLY, request: { leaseMs: 700 } });
    expect(await failureOf(lapsed)).toMatchObject({ code: "cancelled" });

    const controller = new AbortController();
    const gone = ask(place, { ...SLOWLY, signal: controller.signal }).catch(() => undefined);
    await until(() => engine.statements.running === 1);
    controller.abort();
    await gone;
    await ended();
  });

  const all = { dimensions: ["events.id", "events.note"], order: [{ id: "events.id", desc: false }], limit: 50_000 };

  it.each(["default", "compact", "columnar"] as const)("answers 50,000 rows, whole: %s", async (responseFormat) => {
    const document = await documentOf(await ask(place, { query: all, statement: { responseFormat } }));
    expect(document).toMatchObject({ rowCount: 50_000, truncated: false, success: true });
    const { data } = document;
    const last = {
      default: data.at?.(-1),
      compact: data.dataset?.at(-1),
      columnar: data.columns?.map((each) => each.at(-1)),
    };
    expect(last[responseFormat]).toEqual(
      responseFormat === "default" ? { "events.id": 50_000, "events.note": "note 50000" } : [50_000, "note 50000"],
    );
  });

  it("fails instead of being cut where it must be whole", async () => {
    for (const responseFormat of ["default", "columnar"] as const)
      for (const bound of [{ rowsMax: 49_999 }, { bytesMax: 100_000 }]) {
        const asked = { query: all, statement: { responseFormat }, request: { isWhole: true, ...bound } };
        const text = await (await ask(place, asked)).text();
        // A document that has begun tells the API's code, an answer that has not the engine's.
        expect(text.slice(-2_000)).toMatch(/"(?:query_failed|resources_exceeded)"/);
      }
  });

  it("waits for a slow reader, and ends when that one goes", async () => {
    const controller = new AbortController();
    const response = await ask(place, { query: all, signal: controller.signal });
    const reader = response.body!.getReader();
    expect((await reader.read()).value!.length).toBeGreaterThan(0);
    controller.abort();
    await reader.read().catch(() => undefined);
    await ended();
  });

  it("writes formats of rows, too", async () => {
    const csv = await (await ask(place, { query: { ...all, limit: 2 }, request: { format: "csv" } })).text();
    expect(csv).toBe("events.id,events.note\n1,note 1\n2,note 2\n");
    const arrow = await ask(place, { query: all, request: { format: "arrow" } });
    expect((await arrow.arrayBuffer()).byteLength).toBeGreaterThan(500_000);
  });

  const roles: AccessRoles = [
    [
      aGrant("events", {
        schema: SCHEMA,
        excludes: ["note"],
        filters: [{ member: "region", operator: "equals", values: ["no"] }],
      }),
    ],
  ];

  it("sees of a table what roles let through", async () => {
    const document = await documentOf(
      await ask(place, { roles, query: { measures: ["events.count"] }, statement: { total: true } }),
    );
    expect(document.data).toEqual([{ "events.count": ROWS / 4 }]);
    const filtered = {
      measures: ["events.count"],
      filters: [{ member: "events.id", operator: "lte" as const, values: ["8"] }],
    };
    expect((await documentOf(await ask(place, { roles, query: filtered }))).data).toEqual([{ "events.count": 2 }]);
  });

  it("finds no column that roles hide, though the model should name it", async () => {
    const hidden = await failureOf(await ask(place, { roles, query: { dimensions: ["events.note"] } }));
    expect(hidden.code).toBe("sql_error");
    expect(hidden.message).not.toContain("note 1");
    const model = modelAt(place);
    model.cubes[0]!.dimensions = [{ name: "broken", sql: "CAST(id AS)", type: "string" }];
    const broken = await failureOf(await ask(place, { model, roles, query: { dimensions: ["events.broken"] } }));
    expect(broken).toMatchObject({ code: "sql_error", message: expect.stringMatching(/syntax/) });
    expect(broken.message).not.toMatch(/note|region|FROM/);
    // A caller without data-access roles sees the column.
    expect((await ask(place, { query: { dimensions: ["events.note"], limit: 1 } })).status).toBe(200);
  });
});

describe("while it compiles", () => {
  /** Enough to take the compiler a while. */
  const large = (): SemanticModel => ({
    cubes: Array.from({ length: 300 }, (_, i) => ({
      ...modelAt("lake").cubes[0]!,
      name: i === 0 ? "events" : `events_${i}_${Math.random().toString(36).slice(2)}`,
      measures: Array.from({ length: 40 }, (_, j) => ({ name: j === 0 ? "count" : `m${j}`, type: "count" })),
    })),
    views: [],
  });

  it("ends at its deadline, and when it is cancelled; the next is answered", async () => {
    const query = { measures: ["events.count"] };
    const late = await ask("lake", { model: large(), query, request: { deadlineMs: 200 } });
    expect(await failureOf(late)).toMatchObject({ code: "deadline_exceeded" });
    const id = crypto.randomUUID();
    const cancelled = ask("lake", { model: large(), query, request: { id } });
    await until(() => engine.statements.running === 1);
    engine.statements.cancel(id);
    expect(await failureOf(await cancelled)).toMatchObject({ code: "cancelled" });
    expect((await ask("lake", { query })).status).toBe(200);
  });
});
