// A statement that a sandbox takes for one that reads, the engine never takes for one that writes.

import fc from "fast-check";
import { expect, it } from "vitest";
import { isSureToRead, isSureToWrite, mayWrite } from "../../../kernel/text/write-verbs.ts";
import { parseWrite } from "../../../containers/engine/lake/write/parse/parse-statement.ts";

/** Whether the engine takes it for one, or refuses it as one. */
function isTakenForWrite(sql: string): boolean {
  try {
    return parseWrite(sql) !== undefined;
  } catch {
    return true;
  }
}

const beginning = fc.oneof(
  fc.constantFrom("", " ", "\n", "\t", "\u0000", "\u001f", "\u00a0", "\u200b", "\u2028", "\ufeff", "\u1680", "\u0085"),
  fc.constantFrom("--", "-- x\n", "/* x */", "/* /* */ */", ";", "(", "'", '"', "$$", "_", "1", "\u017f", "\u212a"),
);
const word = fc.constantFrom("insert", "DELETE", "with", "Truncate", "comment", "select", "from", "explain", "insertx");
const rest = fc.constantFrom(
  " into t values (1)",
  " from t",
  " t",
  " x as (select 1) insert into t select 1",
  "\u017f t",
);

it("lets no statement that writes pass for one that reads", () => {
  const text = fc.tuple(fc.array(beginning, { maxLength: 3 }), word, rest);
  fc.assert(
    fc.property(text, ([before, verb, after]) => {
      const sql = `${before.join("")}${verb}${after}`;
      if (isTakenForWrite(sql)) expect([mayWrite(sql), isSureToRead(sql)]).toEqual([true, false]);
    }),
    { numRuns: 5_000 },
  );
});

it.each([
  ["with x as (select 1) select * from x", false],
  ["-- rows\nselect 1", false],
  ["/* * rows **/ (select 1)", false],
  ["inserted", false],
  ["/* rows */ -- more\n Insert into t values (1)", true],
])("knows whether %j is sure to write", (sql, isSure) => {
  expect(isSureToWrite(sql)).toBe(isSure);
});

it.each([
  ["with x as (select 1) select * from x", true],
  ["/* rows */ -- more\n((WITH x AS (SELECT 1) FROM x))", true],
  ["with x as (select 1) delete from t", false],
  ["with x as (select 'delete') select * from x", false],
  ["/* /* */ select */ insert into t values (1)", false],
  ["; select 1", false],
  ["", false],
])("knows whether %j is sure to read", (sql, isSure) => {
  expect(isSureToRead(sql)).toBe(isSure);
});

it("reads a text of many comments in no time", () => {
  expect(isSureToRead(`${"/**/(".repeat(100_000)}1`)).toBe(false);
  expect(isSureToWrite(`${"/**/".repeat(100_000)}1`)).toBe(false);
});

it.each(["insert into t values (1)", " with x as (select 1) delete from t", "-- a\ndrop table t"])(
  "knows what writes: %s",
  (sql) => {
    expect(isTakenForWrite(sql)).toBe(true);
    expect([mayWrite(sql), isSureToRead(sql)]).toEqual([true, false]);
  },
);

it.each(["select 1", "FROM t", "  explain insert into t values (1)", "summarize t"])("knows what reads: %s", (sql) => {
  expect([isTakenForWrite(sql), mayWrite(sql), isSureToRead(sql)]).toEqual([false, false, true]);
});
