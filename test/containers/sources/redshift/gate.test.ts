// The gate before Redshift: what it refuses never reaches the server, and what only reads does.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Failure } from "../../../../containers/engine/core/failure.ts";
import { checkStatement, loadParser } from "../../../../containers/engine/sources/postgres/gate/check-statement.ts";
import { REDSHIFT_RULES } from "../../../../containers/engine/sources/redshift/gate/rules.ts";
import { redshift } from "../../../../containers/engine/sources/redshift/connector.ts";
import { EXPRESSIONS, TABLES } from "../../../support/node/sources/postgres-places.ts";
import { ask } from "../../../support/node/sources/redshift/ask.ts";
import { FakeRedshift } from "../../../support/node/sources/redshift/fake-redshift.ts";
import { ESCAPES, FORBIDDEN, GOOD, REFUSED, WRITES } from "../../../support/node/sources/redshift/statement-corpus.ts";
import { ownPostgres } from "../../../support/node/sources/sources.ts";

let fake: FakeRedshift;
beforeAll(async () => {
  await loadParser();
  fake = await FakeRedshift.start(ownPostgres());
});
afterAll(() => fake.close());

const codeOf = (sql: string): string | undefined => {
  try {
    checkStatement(sql, REDSHIFT_RULES);
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
};

describe("the gate before Redshift", () => {
  it.each(REFUSED)("sends nothing of %j", async (sql) => {
    const before = fake.statements.length;
    const failure = await ask(fake, sql).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ code: expect.stringMatching(/^(statement_refused|sql_error)$/) });
    expect([fake.statements.length, fake.sessions]).toEqual([before, 0]);
  });

  it("has a corpus of the size that the other gates have", () => {
    expect(new Set(REFUSED).size).toBeGreaterThan(40);
    expect([WRITES.length, ESCAPES.length, FORBIDDEN.length].every((length) => length > 20)).toBe(true);
    expect(new Set(GOOD).size).toBeGreaterThan(30);
  });

  it.each(GOOD)("lets %j through", (sql) => {
    expect(codeOf(sql)).toBeUndefined();
  });

  it.each(["pg_terminate_backend(1)", "(SELECT max(querytxt) FROM stl_query)", "(1).lo_unlink"])(
    "refuses %s wherever an expression may stand",
    (part) => {
      const passing = EXPRESSIONS.filter((place) => codeOf(place.replace("?", () => "1")) === undefined);
      expect(passing.length).toBeGreaterThan(EXPRESSIONS.length * 0.8);
      expect(passing.filter((place) => codeOf(place.replace("?", () => part)) === undefined)).toEqual([]);
    },
  );

  it.each(["stl_query", "pg_catalog.sys_query_text", '"PG_SHADOW"'])(
    "refuses %s wherever a table may stand",
    (part) => {
      expect(TABLES.filter((place) => codeOf(place.replace("?", () => part)) === undefined)).toEqual([]);
    },
  );

  it("lets no string through that ends elsewhere to a lexer that knows escapes", () => {
    // Whatever is made of these signs, the second lexer finds the strings that PostgreSQL's parser found.
    const signs = ["\\", "'", "a", ",", "\n"];
    const texts = Array.from({ length: 5 ** 6 }, (_, n) =>
      Array.from({ length: 6 }, (_, i) => signs[Math.floor(n / 5 ** i) % 5]).join(""),
    );
    const passed = texts.map((text) => `SELECT 'x${text}'`).filter((sql) => codeOf(sql) === undefined);
    expect(passed.length).toBeGreaterThan(100);
    expect(passed.filter((sql) => shapeOf(sql, true) !== shapeOf(sql, false))).toEqual([]);
  });
});

/** The statement with its strings emptied, as a lexer sees it that knows escapes, or does not. */
function shapeOf(sql: string, knowsEscapes: boolean): string {
  let shape = "";
  let isInside = false;
  for (let at = 0; at < sql.length; at++) {
    const sign = sql[at]!;
    if (!isInside) {
      shape += sign;
      isInside = sign === "'";
    } else if (knowsEscapes && sign === "\\") at++;
    else if (sign === "'" && sql[at + 1] === "'") at++;
    else if (sign === "'") {
      shape += sign;
      isInside = false;
    }
  }
  return shape + (isInside ? "open" : "");
}

describe("credentials", () => {
  const CANARY = "canary-7f3a-redshift";
  const never = new AbortController().signal;
  const attempts: [string, Partial<Parameters<typeof redshift.test>[0]["credentials"]>][] = [
    ["a wrong password", {}],
    ["a user with a NUL in it", { username: "postgres\0options\0-c log_statement=all" }],
    ["a database with a NUL in it", { database: "x\0replication\0database" }],
    ["no user", { username: "" }],
    ["no database", { database: "" }],
    ["a port that is none", { port: "5439; x" }],
    ["a port out of range", { port: "70000" }],
    ["a host that is an address with a path", { host: "127.0.0.1/x" }],
    ["a host of link-local addresses", { host: "169.254.169.254" }],
    ["a host that is a socket's folder", { host: "/tmp" }],
    ["a host with options of its own", { host: "localhost?sslmode=disable" }],
    ["TLS that the server does not have", { sslmode: "require" }],
    ["a certificate that is none", { sslmode: "verify-full", sslrootcert: "not a certificate" }],
  ];
  it.each(attempts)("are refused, and shown to nobody: %s", async (_what, more) => {
    const before = fake.statements.length;
    const failure = await redshift.test(fake.source({ password: CANARY, ...more }), never).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(Failure);
    const { message, cause, stack } = failure as Failure;
    expect(failure).toMatchObject({ code: expect.stringMatching(/^(connection_failed|host_refused)$/) });
    expect([message, String(cause), (cause as Error | undefined)?.stack, stack].join()).not.toContain(CANARY);
    expect(fake.statements.length).toBe(before);
  });
});
