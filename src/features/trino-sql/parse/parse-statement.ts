// A statement: a query, or one of the commands that clients send beside queries.

import { Cursor } from "./cursor.ts";
import { parseExpression } from "./parse-expression.ts";
import { parseQuery } from "./parse-query.ts";
import { parseWrite } from "./parse-write.ts";
import { Refusal, unsupported } from "../refusal.ts";
import type { Expression, Name, Query } from "./tree.ts";
import type { Target, Write } from "./write.ts";

export type Statement =
  | { kind: "query"; query: Query; parameters: number }
  | { kind: "write"; write: Write; parameters: number }
  | { kind: "prepare"; name: string; text: string }
  | { kind: "execute"; name: string; values: Expression[]; at: number }
  | { kind: "executeImmediate"; text: string; values: Expression[] }
  | { kind: "deallocate" | "describeInput" | "describeOutput"; name: string; at: number }
  | { kind: "use"; catalog?: Name; schema: Name }
  | { kind: "setSession"; name: string; value: Expression }
  | { kind: "resetSession"; name: string }
  | { kind: "killQuery"; id: string; at: number }
  | { kind: "startTransaction" | "commit" | "rollback" | "showSession" }
  | { kind: "showCatalogs"; like?: string }
  | { kind: "showSchemas"; catalog?: Name; like?: string }
  | { kind: "showTables"; from: Name[]; like?: string }
  | { kind: "showColumns"; table: Name[]; like?: string }
  | { kind: "showFunctions"; like?: string }
  | { kind: "showCreate"; of: "table" | "view" | "schema"; target: Target }
  /** `isValidation`: whether the statement may run is asked, and no plan. */
  | { kind: "explain"; of: Statement; isValidation: boolean; at: number };

/** A query begins with one of these words, and a command that shows metadata with one of those. */
const QUERIES: readonly string[] = ["SELECT", "WITH", "VALUES", "TABLE", "("];
const SHOWS: readonly string[] = ["SHOW", "DESCRIBE", "DESC"];

export function parseSql(text: string): Statement {
  const cursor = new Cursor(text, parseQuery);
  const statement = parse(cursor, text);
  cursor.end();
  return statement;
}

function parse(cursor: Cursor, text: string): Statement {
  const { at } = cursor.token;
  if (cursor.token.kind === "end") throw new Refusal("SYNTAX_ERROR", "The statement is empty.", at);
  if (QUERIES.some((word) => cursor.sees(word))) {
    const query = parseQuery(cursor);
    return { kind: "query", query, parameters: cursor.parameters };
  }
  const write = parseWrite(cursor);
  if (write) return { kind: "write", write, parameters: cursor.parameters };
  if (cursor.accepts("PREPARE")) return parsePrepare(cursor, text);
  if (cursor.accepts("EXECUTE")) return parseExecute(cursor, at);
  if (cursor.accepts("DEALLOCATE", "PREPARE")) return { kind: "deallocate", name: cursor.name().text, at };
  if (cursor.accepts("DESCRIBE", "INPUT")) return { kind: "describeInput", name: cursor.name().text, at };
  if (cursor.accepts("DESCRIBE", "OUTPUT")) return { kind: "describeOutput", name: cursor.name().text, at };
  if (cursor.accepts("DESCRIBE") || cursor.accepts("DESC")) return { kind: "showColumns", table: cursor.names() };
  if (cursor.accepts("EXPLAIN")) return parseExplain(cursor, text, at);
  if (cursor.accepts("SHOW", "CREATE")) return parseShowCreate(cursor);
  if (cursor.accepts("SHOW")) return parseShow(cursor);
  if (cursor.accepts("USE")) {
    const [first, second, ...more] = cursor.names();
    if (more.length > 0) throw cursor.unexpected();
    return second ? { kind: "use", catalog: first!, schema: second } : { kind: "use", schema: first! };
  }
  if (cursor.accepts("SET", "SESSION")) {
    const name = cursor
      .names()
      .map((each) => each.text)
      .join(".");
    cursor.expect("=");
    return { kind: "setSession", name, value: parseExpression(cursor) };
  }
  if (cursor.accepts("RESET", "SESSION"))
    return {
      kind: "resetSession",
      name: cursor
        .names()
        .map((each) => each.text)
        .join("."),
    };
  if (cursor.accepts("CALL")) return parseCall(cursor);
  return parseTransaction(cursor, at);
}

/** The one procedure is `system.runtime.kill_query(query_id => '…', message => '…')`, whose message nobody reads. */
function parseCall(cursor: Cursor): Statement {
  const { at } = cursor.token;
  const name = cursor.names().map(({ text }) => text.toLowerCase());
  if (name.join(".") !== "system.runtime.kill_query") throw unsupported("This procedure", at);
  const given = cursor.listInParentheses(() => parseArgument(cursor));
  const names = given.map((each, i) => each.name ?? KILL_QUERY_ARGUMENTS[i]!);
  const id = given[names.indexOf("query_id")];
  if (!id || new Set(names).size < names.length || names.some((name) => !KILL_QUERY_ARGUMENTS.includes(name)))
    throw unsupported("These values of kill_query", at);
  return { kind: "killQuery", id: id.text, at };
}

const KILL_QUERY_ARGUMENTS: readonly string[] = ["query_id", "message"];

function parseArgument(cursor: Cursor): { name: string | undefined; text: string } {
  const name = cursor.ahead(1).text === "=>" ? cursor.name().text.toLowerCase() : undefined;
  if (name !== undefined) cursor.expect("=>");
  return { name, text: cursor.string() };
}

function parsePrepare(cursor: Cursor, text: string): Statement {
  const name = cursor.name().text;
  cursor.expect("FROM");
  const { at } = cursor.token;
  if (cursor.sees("PREPARE")) throw new Refusal("NOT_SUPPORTED", "What is prepared is no PREPARE.", at);
  while (cursor.token.kind !== "end") cursor.take();
  const prepared = text.slice(at).trim().replace(/;$/, "");
  // What could not be parsed when it is executed is not kept.
  parseSql(prepared);
  return { kind: "prepare", name, text: prepared };
}

function parseExecute(cursor: Cursor, at: number): Statement {
  const immediate = cursor.accepts("IMMEDIATE") ? cursor.string() : undefined;
  const name = immediate === undefined ? cursor.name().text : "";
  const values = cursor.accepts("USING") ? cursor.list(() => parseExpression(cursor)) : [];
  return immediate === undefined
    ? { kind: "execute", name, values, at }
    : { kind: "executeImmediate", text: immediate, values };
}

/** Tools ask for a plan in text, whether of one machine or of several, or whether the statement may run. */
function parseExplain(cursor: Cursor, text: string, at: number): Statement {
  for (const word of ["ANALYZE", "VERBOSE"]) if (cursor.sees(word)) throw unsupported(`EXPLAIN ${word}`, at);
  const options =
    cursor.sees("(", "TYPE") || cursor.sees("(", "FORMAT") ? cursor.listInParentheses(() => parseOption(cursor)) : [];
  if (![...QUERIES, ...SHOWS].some((word) => cursor.sees(word)))
    throw unsupported("EXPLAIN of anything but a query", at);
  const of = parse(cursor, text);
  return { kind: "explain", of, isValidation: options.includes("VALIDATE"), at };
}

const OPTIONS: Record<string, readonly string[]> = { TYPE: ["LOGICAL", "DISTRIBUTED", "VALIDATE"], FORMAT: ["TEXT"] };

function parseOption(cursor: Cursor): string {
  const name = cursor.take().text.toUpperCase();
  const { at, text } = cursor.take();
  if (!(Object.hasOwn(OPTIONS, name) && OPTIONS[name]!.includes(text.toUpperCase())))
    throw unsupported(`EXPLAIN (${name} ${text.toUpperCase()})`, at);
  return text.toUpperCase();
}

function parseShowCreate(cursor: Cursor): Statement {
  const of = (["table", "view", "schema"] as const).find(
    (each) => cursor.accepts(each.toUpperCase()) || (each === "view" && cursor.accepts("MATERIALIZED", "VIEW")),
  );
  if (!of) throw unsupported(`SHOW CREATE ${cursor.token.text.toUpperCase()}`, cursor.token.at);
  const { at } = cursor.token;
  const name = cursor.names();
  const partsMax = of === "schema" ? 2 : 3;
  if (name.length > partsMax) throw new Refusal("SYNTAX_ERROR", `A name of a ${of} has ${partsMax} parts at most.`, at);
  return { kind: "showCreate", of, target: { kind: of === "schema" ? "schema" : "table", at, name } };
}

function parseShow(cursor: Cursor): Statement {
  const { at } = cursor.token;
  if (cursor.accepts("CATALOGS")) return { kind: "showCatalogs", ...parseLike(cursor) };
  if (cursor.accepts("SCHEMAS")) {
    const catalog = cursor.accepts("FROM") || cursor.accepts("IN") ? cursor.name() : undefined;
    return { kind: "showSchemas", ...(catalog && { catalog }), ...parseLike(cursor) };
  }
  if (cursor.accepts("TABLES")) {
    const from = cursor.accepts("FROM") || cursor.accepts("IN") ? cursor.names() : [];
    return { kind: "showTables", from, ...parseLike(cursor) };
  }
  if (cursor.accepts("COLUMNS")) {
    if (!cursor.accepts("FROM")) cursor.expect("IN");
    return { kind: "showColumns", table: cursor.names(), ...parseLike(cursor) };
  }
  if (cursor.accepts("FUNCTIONS")) return { kind: "showFunctions", ...parseLike(cursor) };
  if (cursor.accepts("SESSION")) return { kind: "showSession" };
  throw unsupported(`SHOW ${cursor.token.text.toUpperCase()}`, at);
}

function parseLike(cursor: Cursor): { like?: string } {
  if (!cursor.accepts("LIKE")) return {};
  const like = cursor.string();
  if (cursor.sees("ESCAPE")) throw unsupported("SHOW … LIKE … ESCAPE", cursor.token.at);
  return { like };
}

function parseTransaction(cursor: Cursor, at: number): Statement {
  if (cursor.accepts("START", "TRANSACTION")) {
    while (cursor.token.kind === "word" || cursor.token.text === ",") cursor.take();
    return { kind: "startTransaction" };
  }
  for (const kind of ["commit", "rollback"] as const) {
    if (!cursor.accepts(kind.toUpperCase())) continue;
    cursor.accepts("WORK");
    return { kind };
  }
  throw unsupported(`The statement ${cursor.token.text.toUpperCase()}`, at);
}
