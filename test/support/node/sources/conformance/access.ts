// A bound caller reads what is granted and nothing else, however the statement comes.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AccessRoles, StatementAccess } from "../../../../../kernel/access/access.ts";
import { FORMATS, type Format } from "../../../../../kernel/wire/engine-program.ts";
import { toFailure, type Failure } from "../../../../../containers/engine/core/failure.ts";
import type { AnswerSink } from "../../../../../containers/engine/core/sink.ts";
import { statementOf, type SourceStatement } from "../../../../../containers/engine/core/statement.ts";
import { runSourceRows, runSourceStatement } from "../../../../../containers/engine/sources/run-statement.ts";
import { aGrant } from "../../access/a-grant.ts";
import { aStatement } from "../../programs/engine.ts";
import { never } from "../extraction.ts";
import { cellsOf } from "./asking.ts";
import type { SourceUnderTest, TestTable } from "./source-under-test.ts";

/** Nothing that is granted holds it. */
const CANARY = "canary of a hidden row";
const OPEN = "what is granted";

const tableOf = (name: string): TestTable => ({ name, columns: { id: "bigint", t: "text" }, key: ["id"] });
const GRANTED = tableOf("granted");
const HIDDEN = tableOf("concealed");
/** A missing table's name, as long as the hidden one's, so that positions in a failure are alike. */
const MISSING = "not_there";

type Way = (source: SourceUnderTest, sql: string, access: StatementAccess) => Promise<string>;

/** How a statement comes to a source: with its result in each format, or by rows, as of a semantic query. */
const WAYS: [name: string, ask: Way][] = [
  ...FORMATS.map((format): [string, Way] => [`as ${format}`, (...asked) => answerOf(format, ...asked)]),
  ["by rows", rowsOf],
];

export function describeAccess(place: () => SourceUnderTest): void {
  describe("a caller whom roles bind", () => {
    beforeAll(async () => {
      await place().create(GRANTED);
      await place().create(HIDDEN);
      await place().insert(GRANTED, [["1", OPEN]]);
      await place().insert(HIDDEN, [["1", CANARY]]);
    });
    afterAll(async () => {
      await place().drop(GRANTED.name);
      await place().drop(HIDDEN.name);
    });

    const roles = (): AccessRoles => [[aGrant(GRANTED.name, { schema: place().schema })]];
    const nameOf = (name: string): string => place().table(name);
    const reading = (): string[] => {
      const [granted, hidden] = [nameOf(GRANTED.name), nameOf(HIDDEN.name)];
      return [
        `SELECT t FROM ${hidden}`,
        `SELECT t FROM (SELECT t FROM ${hidden}) s`,
        `SELECT t FROM ${granted} UNION ALL SELECT t FROM ${hidden}`,
        `SELECT (SELECT MAX(t) FROM ${hidden}) AS t FROM ${granted}`,
        `WITH c AS (SELECT t FROM ${hidden}) SELECT t FROM c`,
        `SELECT h.t FROM ${granted} g JOIN ${hidden} h ON g.id = h.id`,
      ];
    };

    it.each(WAYS)("reads %s what is granted", async (_, ask) => {
      const sql = `SELECT t FROM ${nameOf(GRANTED.name)}`;
      expect(await ask(place(), sql, bound(roles()))).toContain(OPEN);
    });

    it.each(WAYS)("reads %s nothing that is not", async (_, ask) => {
      for (const sql of reading()) {
        expect(await ask(place(), sql, "everything"), sql).toContain(CANARY);
        expect(JSON.stringify(await failureOf(ask(place(), sql, bound(roles()))))).not.toContain(CANARY);
      }
    });

    it.each([
      ["a filter", { filters: [{ member: "id", operator: "equals" as const, values: ["2"] }] }],
      ["a filter that names an attribute which the caller lacks", { filters: null }],
      ["a mask", { masks: { t: null } }],
      ["a column that is left out", { excludes: ["t"] }],
    ])("reads nothing that is hidden by %s", async (_, part) => {
      const { schema } = place();
      const partly: AccessRoles = [[aGrant(GRANTED.name, { schema }), aGrant(HIDDEN.name, { schema, ...part })]];
      for (const sql of reading()) {
        const outcome = await rowsOf(place(), sql, bound(partly)).catch((error: unknown) => toFailure(error));
        expect(JSON.stringify(outcome), sql).not.toContain(CANARY);
      }
    });

    it("reads nothing where nothing is granted", async () => {
      for (const none of [[], [[]], [[aGrant(HIDDEN.name, { schema: "another schema" })]]])
        for (const sql of [...reading(), `SELECT t FROM ${nameOf(GRANTED.name)}`])
          await failureOf(rowsOf(place(), sql, bound(none)));
    });

    it("is told alike of what is hidden and of what is missing", async () => {
      const failureFor = async (name: string): Promise<string> =>
        JSON.stringify(await failureOf(rowsOf(place(), `SELECT t FROM ${nameOf(name)}`, bound(roles()))));
      expect((await failureFor(HIDDEN.name)).replaceAll(HIDDEN.name, MISSING)).toBe(await failureFor(MISSING));
    });
  });
}

const bound = (roles: AccessRoles): StatementAccess => ({ digest: JSON.stringify(roles), roles });

const orderOf = (format: Format, { source }: SourceUnderTest, sql: string, access: StatementAccess): SourceStatement =>
  statementOf({ ...aStatement({ sql, format, target: { kind: "source", source, access } }), sql }) as SourceStatement;

async function answerOf(format: Format, ...asked: Parameters<Way>): Promise<string> {
  const parts: Uint8Array[] = [];
  const sink: AnswerSink = {
    get started() {
      return parts.length > 0;
    },
    write: (bytes) => void parts.push(Uint8Array.from(bytes)),
    end: (bytes) => void (bytes && parts.push(Uint8Array.from(bytes))),
    break: () => undefined,
    ended: () => Promise.resolve(),
  };
  await runSourceStatement(orderOf(format, ...asked), never(), sink);
  return Buffer.concat(parts).toString("utf8");
}

async function rowsOf(...asked: Parameters<Way>): Promise<string> {
  const read: string[] = [];
  await runSourceRows(orderOf("json", ...asked), never(), {
    columns: (columns) => void read.push(...columns.map(({ name }) => name)),
    row: (row) => read.push(cellsOf(row).join()) > 0,
    end: () => undefined,
  });
  return read.join("\n");
}

async function failureOf(answer: Promise<string>): Promise<Failure> {
  const outcome = await answer.then(
    (text) => ({ text }),
    (error: unknown) => ({ failure: toFailure(error) }),
  );
  if ("text" in outcome) throw new Error(`It was answered: ${outcome.text}`);
  return outcome.failure;
}
