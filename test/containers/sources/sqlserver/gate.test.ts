// The gate before SQL Server: what it refuses, what it lets through, and that nothing between quotes and comments gets
// a word of doing past it.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Failure } from "../../../../containers/engine/core/failure.ts";
import { checkSqlserverStatement } from "../../../../containers/engine/sources/sqlserver/gate/check-statement.ts";
import { FORBIDDEN_WORDS } from "../../../../containers/engine/sources/sqlserver/gate/forbidden.ts";
import { tokenize } from "../../../../containers/engine/sources/sqlserver/gate/lexer.ts";
import { GOOD_STATEMENTS, REFUSED_STATEMENTS } from "../../../support/node/sources/sqlserver/statement-corpus.ts";

const isRefused = (sql: string): boolean => {
  try {
    checkSqlserverStatement(sql);
    return false;
  } catch (error) {
    if (error instanceof Failure && error.code === "statement_refused") return true;
    throw error;
  }
};

/** Words that begin a statement, of the server's manual; SELECT and WITH aside. */
const STATEMENT_WORDS =
  `ADD ALTER BACKUP BEGIN BREAK BULK CHECKPOINT CLOSE COMMIT CONTINUE COPY CREATE DBCC DEALLOCATE DECLARE
  DELETE DENY DISABLE DROP DUMP ENABLE EXEC EXECUTE FETCH GO GOTO GRANT IF INSERT KILL LINENO LOAD MERGE OPEN PRINT
  RAISERROR READTEXT RECEIVE RECONFIGURE RENAME RESTORE RETURN REVERT REVOKE ROLLBACK SAVE SET SETUSER SHUTDOWN THROW
  TRUNCATE UPDATE UPDATETEXT USE WAITFOR WHILE WRITETEXT`.split(/\s+/);

describe("the gate before SQL Server", () => {
  it.each(REFUSED_STATEMENTS)("refuses %j", (sql) => {
    expect(isRefused(sql)).toBe(true);
  });

  it.each(GOOD_STATEMENTS)("lets %j through", (sql) => {
    expect(() => checkSqlserverStatement(sql)).not.toThrow();
  });

  it("refuses each word that begins another statement, wherever it stands, and lets it through in quotes", () => {
    const places = [
      "? x",
      "SELECT 1 ? x",
      "SELECT a FROM t ?",
      "SELECT (? x)",
      "SELECT a AS ? FROM t",
      "SELECT t.? FROM t",
    ];
    const filled = (part: string) => places.map((place) => place.replace("?", part));
    for (const word of [...STATEMENT_WORDS, ...Object.keys(FORBIDDEN_WORDS)])
      for (const spelled of [word, word.toLowerCase(), `${word}--x\n`, `/**/${word}/**/`])
        expect(filled(spelled).filter((sql) => !isRefused(sql))).toEqual([]);
    for (const word of STATEMENT_WORDS)
      for (const quoted of [`[${word}]`, `"${word}"`]) expect(isRefused(`SELECT t.${quoted} FROM t`)).toBe(false);
  });

  it("takes as many parameters as values are bound, and no other variable", () => {
    expect(checkSqlserverStatement("SELECT @p1, @p2", 2).text).toBe("SELECT @p1, @p2");
    for (const sql of ["SELECT @p3", "SELECT @p0", "SELECT @P1", "SELECT @p01", "SELECT @x"])
      expect(() => checkSqlserverStatement(sql, 2)).toThrow(Failure);
  });

  it("says where the refused word stands", () => {
    expect(() => checkSqlserverStatement("SELECT 'ä😀'\nDELETE t")).toThrow(
      expect.objectContaining({ position: 13, message: expect.stringContaining("DELETE removes rows") }),
    );
  });

  it("sends the statement in its place, with blanks for comments, leading and closing semicolons", () => {
    const { text } = checkSqlserverStatement("; SELECT /* a\r\nb */ 1 -- c\n, '--' ; -- d");
    expect(text).toBe("  SELECT     \r\n     1     \n, '--'");
  });

  it("measures a statement before it reads it", () => {
    expect(isRefused(`SELECT '${"x".repeat(1_000_000)}'`)).toBe(true);
  });
});

const noise = fc.string({ unit: fc.constantFrom(..."'\"[]/*-;.,()=x1eN \n\t@#$"), maxLength: 6 });
const closedQuotes = fc.oneof(
  noise.map((text) => `'${text.replaceAll("'", "''")}'`),
  noise.map((text) => `N'${text.replaceAll("'", "''")}'`),
  noise.map((text) => `[x${text.replaceAll("]", "]]")}]`),
  noise.map((text) => `"x${text.replaceAll('"', '""')}"`),
);
const comments = fc.oneof(
  noise.map((text) => `--${text.replaceAll("\n", "")}\n`),
  noise.map((text) => `/*${text.replaceAll(/[/*]/g, "")}/*${text.replaceAll(/[/*]/g, "")}*/*/`),
);
const spaces = fc.constantFrom(" ", "\n", "\t", "\r\n");
const DOING = ["DELETE", "exec", "Insert", "INTO", "uPdAtE", "DROP", "TABLOCKX", "WAITFOR", "OPENQUERY", "MERGE"];

describe("random statements", () => {
  it("never hide a word of doing among quotes and comments", () => {
    const around = fc.array(fc.oneof(closedQuotes, comments, spaces), { maxLength: 6 }).map((parts) => parts.join(" "));
    fc.assert(
      fc.property(around, around, fc.constantFrom(...DOING), (before, after, word) => {
        expect(isRefused(`SELECT ${before} ${word} ${after}`)).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });

  it("are sent so that a reader without comments sees the same words", () => {
    const parts = fc.array(fc.oneof(closedQuotes, comments, spaces, noise, fc.constantFrom(...DOING, "SELECT")));
    let sent = 0;
    fc.assert(
      fc.property(parts, (texts) => {
        const sql = `SELECT ${texts.join("")}`;
        if (isRefused(sql)) return;
        sent++;
        const { text, tokens } = checkSqlserverStatement(sql);
        expect(withoutQuotes(text)).not.toMatch(/--|\/\*|'|"|[[\]]/);
        expect(withoutQuotes(text)).not.toMatch(new RegExp(`(?<![\\w@#$])(${DOING.join("|")})(?![\\w@#$])`, "i"));
        expect(tokenize(text).tokens.map(({ kind, at }) => [kind, at])).toEqual(
          tokens.map(({ kind, at }) => [kind, at]),
        );
      }),
      { numRuns: 5_000 },
    );
    expect(sent).toBeGreaterThan(500);
  });
});

/** What a reader that knows nothing but quotes sees outside of them. */
const withoutQuotes = (sql: string): string =>
  sql.replaceAll(/'(?:[^']|'')*'|"(?:[^"]|"")*"|\[(?:[^\]]|\]\])*\]/g, " quoted ");
