// What Snowflake's connector refuses, as callers meet it, in front of a service that counts what reaches it.

import { beforeEach, describe, expect, it } from "vitest";
import type { SnowflakeCredentials } from "../../../../kernel/wire/source.ts";
import { Failure } from "../../../../containers/engine/core/failure.ts";
import { CallerAccess } from "../../../../containers/engine/sources/access/caller-access.ts";
import { snowflake } from "../../../../containers/engine/sources/snowflake/connector.ts";
import { aGrant } from "../../../support/node/access/a-grant.ts";
import {
  FORGED_ACCOUNTS,
  FORGED_NAMES,
  FORGED_USERNAMES,
} from "../../../support/node/sources/snowflake/forged-credentials.ts";
import { REFUSED_STATEMENTS } from "../../../support/node/sources/snowflake/statements.ts";
import { SNOWFLAKE, withFakeSnowflake } from "../../../support/node/sources/snowflake/with-fake.ts";

const fake = withFakeSnowflake(async ({ database }) => {
  await database.execute("CREATE TABLE orders (id NUMBER(38,0) PRIMARY KEY, total NUMBER(12,2))");
  await database.execute("INSERT INTO orders VALUES (1, 2.50)");
  await database.execute("CREATE TABLE salaries (id NUMBER(38,0) PRIMARY KEY, amount NUMBER(12,2))");
  await database.execute("INSERT INTO salaries VALUES (1, 987654.32)");
  await database.execute("CREATE VIEW paid AS SELECT CAST(amount AS VARCHAR) || 'x' AS amount FROM salaries");
});
beforeEach(() => fake().heal());

const NEVER = new AbortController().signal;

async function ask(sql: string, access: "everything" | CallerAccess = "everything"): Promise<string[][]> {
  const rows: string[][] = [];
  await snowflake.query({ source: SNOWFLAKE, sql, access, signal: NEVER }, ({ rows: read }) =>
    read(({ bytes, starts, ends }) => {
      const text = Buffer.from(bytes);
      rows.push(Array.from(starts, (start, i) => text.toString("utf8", start, Math.max(start, ends[i]!))));
      return true;
    }),
  );
  return rows;
}

const failureOf = (promise: Promise<unknown>): Promise<Failure> =>
  promise.then(
    () => Promise.reject(new Error("it was not refused")),
    (error: unknown) => (error instanceof Failure ? error : Promise.reject(error)),
  );

describe("the gate", () => {
  it("lets no statement of the corpus reach the service, nor a login", async () => {
    const statements = Object.values(REFUSED_STATEMENTS).flat();
    expect(statements.length).toBeGreaterThanOrEqual(120);
    for (const sql of statements) expect((await failureOf(ask(sql))).code, sql).toBe("statement_refused");
    expect([fake().statementsSeen, fake().requests]).toEqual([[], []]);
  });
});

describe("forged credentials", () => {
  it("are refused before anything is dialled, by all that a connector does", async () => {
    const forged: Partial<SnowflakeCredentials>[] = [
      ...FORGED_ACCOUNTS.map((account) => ({ account })),
      ...FORGED_NAMES.flatMap((name) => [{ warehouse: name }, { database: name }, { role: name }]),
      ...FORGED_USERNAMES.map((username) => ({ username })),
    ];
    expect(forged.length).toBeGreaterThanOrEqual(120);
    for (const part of forged) {
      const source = { ...SNOWFLAKE, credentials: { ...SNOWFLAKE.credentials, ...part } };
      const tries = [
        snowflake.test(source, NEVER),
        snowflake.introspect(source, NEVER),
        snowflake.openSnapshot(source, "a name", NEVER),
        snowflake.query({ source, sql: "SELECT 1", access: "everything", signal: NEVER }, () => Promise.resolve()),
      ];
      for (const failure of await Promise.all(tries.map(failureOf)))
        expect(failure.code, JSON.stringify(part)).toBe("connection_failed");
    }
    expect([fake().requests, fake().openSockets]).toEqual([[], 0]);
  });
});

describe("a caller whom roles bind", () => {
  const access = new CallerAccess([
    [
      aGrant("ORDERS", { schema: "PUBLIC" }),
      aGrant("paid", { schema: "public" }),
      aGrant("GONE", { schema: "PUBLIC" }),
    ],
  ]);

  it("reads a table that is open as a whole, and a view over one that is not", async () => {
    expect(await ask("SELECT id, total FROM public.orders", access)).toEqual([["1", "2.50"]]);
    expect(await ask("SELECT amount FROM paid", access)).toEqual([["987654.32x"]]);
  });

  it("is answered alike of what is hidden and of what is missing, and the statement is not sent", async () => {
    const [hidden, missing, granted] = await Promise.all(
      ["salaries", "nothing_there", "gone"].map((name) => failureOf(ask(`SELECT * FROM ${name}`, access))),
    );
    expect(JSON.stringify(hidden)).toBe(JSON.stringify(missing));
    expect(JSON.stringify(granted)).toBe(JSON.stringify(missing));
    expect(fake().statementsSeen.filter((sql) => sql.startsWith("SELECT * FROM"))).toEqual([]);
  });

  it("is not shown by an error what a view computes of what is hidden", async () => {
    const open = await failureOf(ask("SELECT CAST(amount AS NUMBER(12,2)) FROM paid"));
    expect(open.message).toContain("987654.32");
    const bound = await failureOf(ask("SELECT CAST(amount AS NUMBER(12,2)) FROM paid", access));
    expect(JSON.stringify(bound)).not.toContain("987654");
  });
});
