// What a source can't do now and may do later is a failure of its own, by each kind's own codes.

import { describe, expect, it } from "vitest";
import { redact } from "../../../kernel/wire/failure-text.ts";
import type { Source } from "../../../kernel/wire/source.ts";
import * as bigquery from "../../../containers/engine/sources/bigquery/connection/errors.ts";
import * as mysql from "../../../containers/engine/sources/mysql/connection/errors.ts";
import { MysqlError } from "../../../containers/engine/sources/mysql/connection/packets.ts";
import * as postgres from "../../../containers/engine/sources/postgres/connection/errors.ts";
import { redshiftFailure } from "../../../containers/engine/sources/redshift/errors.ts";
import * as snowflake from "../../../containers/engine/sources/snowflake/connection/errors.ts";
import * as sqlserver from "../../../containers/engine/sources/sqlserver/connection/errors.ts";
import { SqlServerError } from "../../../containers/engine/sources/sqlserver/connection/tokens.ts";

const serverError = (code: string) =>
  new postgres.ServerError(
    new Map([
      ["C", code],
      ["M", "words"],
    ]),
  );
const sqlServerError = (number: number) => new SqlServerError("words", { number, state: 1, severity: 16, line: 0 });

const googleError = (status: number, reason: string, retryAfterMs = 0) =>
  Object.assign(new bigquery.GoogleError(status, reason, "words"), { retryAfterMs });

type Case = { passing: unknown[]; lasting: unknown[] };
const KINDS: Record<Source["type"], Case> = {
  postgres: {
    passing: ["40001", "40P01", "53300", "57P01", "57P03"].map((code) =>
      postgres.statementFailure(serverError(code), false),
    ),
    lasting: [postgres.statementFailure(serverError("42601"), false)],
  },
  redshift: {
    passing: ["53300", "57P01", "40001"].map((code) => redshiftFailure(serverError(code), false)),
    lasting: [redshiftFailure(serverError("42601"), false)],
  },
  mysql: {
    passing: [1040, 1053, 1203, 1205, 1213].map((errno) =>
      mysql.statementFailure(new MysqlError(errno, "words"), false),
    ),
    lasting: [mysql.statementFailure(new MysqlError(1064, "words"), false)],
  },
  sqlserver: {
    passing: [1205, 10928, 40197, 40501, 40613, 49920].map((number) =>
      sqlserver.statementFailure(sqlServerError(number), false),
    ),
    lasting: [sqlserver.statementFailure(sqlServerError(8134), false)],
  },
  bigquery: {
    passing: [
      bigquery.statementFailure(googleError(429, "rateLimitExceeded"), false),
      bigquery.statementFailure(googleError(0, "backendError"), false),
      bigquery.connectionFailure(googleError(503, "http503")),
    ],
    lasting: [bigquery.statementFailure(googleError(403, "quotaExceeded"), false)],
  },
  snowflake: {
    passing: ["000625", "390112"].map((code) =>
      snowflake.statementFailure(new snowflake.SnowflakeError(code, "words", undefined), false),
    ),
    lasting: [snowflake.statementFailure(new snowflake.SnowflakeError("001003", "words", undefined), false)],
  },
};

describe.each(Object.entries(KINDS))("%s", (_, { passing, lasting }) => {
  it("tells what passes apart from what lasts", () => {
    for (const failure of passing)
      expect(failure).toMatchObject({
        code: "source_unavailable",
        status: 503,
        message: expect.stringMatching(/words.*Try again later\.$/),
      });
    for (const failure of lasting) expect(failure).not.toMatchObject({ code: "source_unavailable" });
  });
});

it("goes by the pause that a service asks for, up to five minutes", () => {
  const secondsOf = (ms: number) =>
    (bigquery.statementFailure(googleError(429, "rateLimitExceeded", ms), false) as { retryAfterSeconds?: number })
      .retryAfterSeconds;
  expect([0, 30_000, 1_500, 86_400_000].map(secondsOf)).toEqual([undefined, 30, 2, 300]);
});

it("keeps the words of a failure where a short password is part of one of them, and not where it stands alone", () => {
  const failure = (message: string) => ({ code: "connection_failed" as const, message });
  expect(redact(failure("a column without a length"), ["out"])).toBe("a column without a length");
  expect(redact(failure("the password out is wrong"), ["out"])).toBe("The database could not be connected to (other).");
  expect(redact({ code: "source_unavailable", message: "user:s3cret@host is away" }, ["s3cret"])).toBe(
    "user:***@host is away",
  );
});
