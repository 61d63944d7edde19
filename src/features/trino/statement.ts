// A statement as it comes: a command is answered at once, a query is handed to the engine, which carries it on.

import type { CallContext } from "../../http/call.ts";
import { newId } from "../../core/ids.ts";
import type { EngineChoice } from "../query/query.ts";
import { beginHeavy, planHeavier } from "./heavy.ts";
import { answerOf, columnsJson } from "./answer.ts";
import { queryOfShow } from "./commands.ts";
import { encodeQuery } from "../trino-sql/translate/encode.ts";
import { parseSql, type Statement } from "../trino-sql/parse/parse-statement.ts";
import { Refusal } from "../trino-sql/refusal.ts";
import { asRefusal } from "../trino-sql/refused.ts";
import type { Translated } from "../trino-sql/translate/place.ts";
import { translate } from "../trino-sql/translate/translate.ts";
import { UPDATES } from "../trino-sql/translate/write/translate-write.ts";
import type { Expression } from "../trino-sql/parse/tree.ts";
import { BIGINT, BOOLEAN, nameOf, VARCHAR, type Type } from "../trino-sql/trino-types.ts";
import { catalogOf, openCatalog, tableFinder, type OpenedCatalog } from "../trino-sql/lake-tables.ts";
import { cancelQuery } from "../query/cancel.ts";
import { followOwnQuery } from "../query/async/follow.ts";
import { answerFirst } from "./first-answer.ts";
import {
  ENGINE_DEFAULT,
  ENGINE_PROPERTY,
  encodePair,
  engineOf,
  readSession,
  requireProperty,
  type Session,
} from "./session.ts";
import { trinoError } from "./trino-error.ts";
import { holdWrite } from "./hold-write.ts";
import { constantsOf, requireRunnable, requireShort, requireValues, type Exchange } from "./exchange.ts";

export async function beginTrino(ctx: CallContext, text: string): Promise<Response> {
  const id = newId();
  const { origin } = new URL(ctx.request.url);
  try {
    const session = readSession(ctx.request.headers);
    return await begin({ ctx, session, text, id, origin, isPrepared: false }, parseSql(text));
  } catch (caught) {
    return answerOf({ id, origin, state: "FAILED", elapsedMs: 0, error: trinoError(asRefusal(caught), text) });
  }
}

async function begin(asked: Exchange, statement: Statement, values?: readonly Expression[]): Promise<Response> {
  const { session } = asked;
  switch (statement.kind) {
    case "query":
      return beginQuery(asked, statement, values ?? []);
    case "write":
      requireValues(statement, values ?? []);
      return holdWrite(asked, statement.write, values ?? []);
    case "showCatalogs":
    case "showSchemas":
    case "showTables":
    case "showColumns":
      return beginQuery({ ...asked, session: { ...session, engine: "duckdb" } }, queryOfShow(statement, session), []);
    case "execute": {
      const text = preparedText(session, statement);
      const prepared = { ...asked, text, isPrepared: true };
      return withoutPlaces(() => begin(prepared, withinExecute(text), statement.values));
    }
    case "executeImmediate": {
      const { text, values: given } = statement;
      return withoutPlaces(() => begin({ ...asked, text, isPrepared: true }, withinExecute(text), given));
    }
    case "prepare":
      return done(asked, "PREPARE", { "X-Trino-Added-Prepare": encodePair(statement.name, statement.text) });
    case "deallocate":
      preparedText(session, statement);
      return done(asked, "DEALLOCATE", { "X-Trino-Deallocated-Prepare": encodeURIComponent(statement.name) });
    case "describeInput": {
      const text = preparedText(session, statement);
      const inner = await withoutPlaces(async () => withinExecute(text));
      const count = inner.kind === "query" || inner.kind === "write" ? inner.parameters : 0;
      const rows = Array.from({ length: count }, (_, i) => [i, "unknown"]);
      return answerRows(asked, { Position: BIGINT, Type: VARCHAR }, rows);
    }
    case "describeOutput": {
      const text = preparedText(session, statement);
      return withoutPlaces(() => describeOutput(asked, withinExecute(text)));
    }
    case "use": {
      const { catalog, schema } = statement;
      if (catalog) await openCatalog(asked.ctx, [catalog]);
      const headers = {
        "X-Trino-Set-Schema": schema.text.toLowerCase(),
        ...(catalog && { "X-Trino-Set-Catalog": catalog.text.toLowerCase() }),
      };
      return done(asked, "USE", headers);
    }
    case "setSession":
      return done(asked, "SET SESSION", { "X-Trino-Set-Session": encodePair(statement.name, chosenEngine(statement)) });
    case "resetSession":
      return done(asked, "RESET SESSION", { "X-Trino-Clear-Session": statement.name });
    case "showSession":
      return answerRows(
        asked,
        { Name: VARCHAR, Value: VARCHAR, Default: VARCHAR, Type: VARCHAR, Description: VARCHAR },
        [[ENGINE_PROPERTY, session.engine, ENGINE_DEFAULT, "varchar", ENGINE_DESCRIPTION]],
      );
    case "killQuery":
      await killQuery(asked, statement);
      return done(asked, "CALL", {});
    // Each statement is a transaction of its own, at the snapshot that is the newest as it begins.
    case "startTransaction":
      return done(asked, "START TRANSACTION", { "X-Trino-Started-Transaction-Id": newId() });
    case "commit":
    case "rollback":
      return done(asked, statement.kind.toUpperCase(), { "X-Trino-Clear-Transaction-Id": "true" });
  }
}

/** By which tools cancel a statement whose pages they do not hold; a stranger's is none. */
async function killQuery({ ctx }: Exchange, { id, at }: Extract<Statement, { kind: "killQuery" }>): Promise<void> {
  const query = await followOwnQuery(ctx, id);
  if (!query) throw new Refusal("NOT_FOUND", `Target query not found: ${id}`, at);
  if (query.endedAt !== null) throw new Refusal("NOT_SUPPORTED", `Target query is not running: ${id}`, at);
  await cancelQuery(ctx, id);
}

const ENGINE_DESCRIPTION = "What runs queries: duckdb, trino (the team's own), or auto, whichever is fit";

function chosenEngine({ name, value }: Extract<Statement, { kind: "setSession" }>): EngineChoice {
  requireProperty(name);
  if (value.kind !== "string") throw new Refusal("INVALID_LITERAL", "The engine is a text.", value.at);
  return engineOf(value.text);
}

const done = ({ id, origin }: Exchange, updateType: string, headers: Record<string, string>): Response =>
  answerOf({ id, origin, state: "FINISHED", elapsedMs: 0, columns: "[]", updateType }, new Headers(headers));

function answerRows({ id, origin }: Exchange, types: Record<string, Type>, rows: unknown[][]): Response {
  const columns = columnsJson(Object.entries(types).map(([name, type]) => ({ name, type })));
  const data = rows.map((row) => JSON.stringify(row)).join(",");
  return answerOf({ id, origin, state: "FINISHED", elapsedMs: 0, columns, data });
}

function preparedText({ prepared }: Session, { name, at }: { name: string; at: number }): string {
  const text = prepared.get(name);
  if (text === undefined) throw new Refusal("NOT_FOUND", `Prepared statement not found: ${name}`, at);
  return text;
}

/** A place in the text of a prepared statement is none in the text that was sent. */
async function withoutPlaces<Value>(run: () => Promise<Value>): Promise<Value> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof Refusal ? new Refusal(error.error, error.message) : error;
  }
}

function withinExecute(text: string): Statement {
  const statement = parseSql(text);
  if (statement.kind === "execute" || statement.kind === "executeImmediate" || statement.kind === "prepare")
    throw new Refusal("NOT_SUPPORTED", "What is executed is no statement that executes or prepares.");
  return statement;
}

type QueryStatement = Extract<Statement, { kind: "query" }>;

const openCatalogOf = ({ ctx, session }: Exchange, { query }: QueryStatement): Promise<OpenedCatalog> =>
  openCatalog(ctx, catalogOf(query, session), query);

function translateSql(
  { ctx, session }: Exchange,
  { query }: QueryStatement,
  { catalog, values }: { catalog: OpenedCatalog; values: readonly Expression[] | undefined },
): Translated {
  const constants = constantsOf(ctx.scope, session, catalog);
  return translate(query, { findTable: tableFinder(catalog, session), constants, parameters: values });
}

async function beginQuery(
  asked: Exchange,
  statement: QueryStatement,
  values: readonly Expression[],
): Promise<Response> {
  const { ctx, session } = asked;
  requireValues(statement, values);
  // Whatever is planned for a cluster holds snapshots: a statement that may not run plans nothing.
  const [catalog] = await Promise.all([openCatalogOf(asked, statement), requireRunnable(ctx)]);
  const translated = () => translateSql(asked, statement, { catalog, values });
  const heavy = { statement, values, catalog, translated };
  const answered = await beginHeavy(asked, heavy);
  if (answered) return answered;
  const { sql, columns } = encodeQuery(translated(), session.digitsMax);
  requireShort(sql);
  const query = { sql, isTranslated: true, reads: catalog, planFallback: () => planHeavier(asked, heavy) } as const;
  return answerFirst(asked, query, headOf(columns));
}

const headOf = (columns: Translated["columns"]): string =>
  columnsJson(columns.map(({ name, type }, i) => ({ name: name ?? `_col${i}`, type })));

async function describeOutput(asked: Exchange, statement: Statement): Promise<Response> {
  const types = {
    "Column Name": VARCHAR,
    Catalog: VARCHAR,
    Schema: VARCHAR,
    Table: VARCHAR,
    Type: VARCHAR,
    "Type Size": BIGINT,
    Aliased: BOOLEAN,
  };
  const query =
    statement.kind === "query" ? statement : isShow(statement) ? queryOfShow(statement, asked.session) : undefined;
  if (!query) {
    const isCounted = statement.kind === "write" && UPDATES[statement.write.kind].isCounted;
    return answerRows(asked, types, isCounted ? [["rows", "", "", "", "bigint", 8, false]] : []);
  }
  const catalog = await openCatalogOf(asked, query);
  const translated = translateSql(asked, query, { catalog, values: undefined });
  const rows = translated.columns.map(({ name, type }, i) => [
    name ?? `_col${i}`,
    "",
    "",
    "",
    nameOf(type, true),
    0,
    false,
  ]);
  return answerRows(asked, types, rows);
}

type Show = Parameters<typeof queryOfShow>[0];
const isShow = (statement: Statement): statement is Show =>
  ["showCatalogs", "showSchemas", "showTables", "showColumns"].includes(statement.kind);
