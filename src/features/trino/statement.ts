// A statement as it comes: a command is answered at once, a query is handed to the engine, which carries it on.

import type { CallContext } from "../../http/call.ts";
import { newId } from "../../core/ids.ts";
import type { EngineChoice } from "../query/query.ts";
import { beginHeavy, planHeavier } from "./heavy.ts";
import { answerOf, answerRows, columnsJson } from "./answer.ts";
import { describeInput, describeOutput } from "./commands/describe.ts";
import { explainQuery } from "./commands/explain.ts";
import { queryOfShow } from "./commands/look-around.ts";
import { showCreate } from "./commands/show-create.ts";
import { encodeQuery } from "../trino-sql/translate/encode.ts";
import { parseSql, type Statement } from "../trino-sql/parse/parse-statement.ts";
import { Refusal } from "../trino-sql/refusal.ts";
import { asRefusal } from "../trino-sql/refused.ts";
import type { Translated } from "../trino-sql/translate/place.ts";
import type { Expression } from "../trino-sql/parse/tree.ts";
import { VARCHAR } from "../trino-sql/trino-types.ts";
import { openCatalog } from "../trino-sql/lake-tables.ts";
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
import { requireRunnable, requireShort, requireValues, type Exchange } from "./exchange.ts";
import { openCatalogOf, translateSql, type QueryStatement } from "./translated-query.ts";

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
    case "showFunctions":
      return beginQuery({ ...asked, session: { ...session, engine: "duckdb" } }, queryOfShow(statement, session), []);
    case "showCreate":
      return showCreate(asked, statement);
    case "explain":
      return explainQuery(asked, statement, values ?? []);
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
      return withoutPlaces(async () => describeInput(asked, withinExecute(text)));
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
