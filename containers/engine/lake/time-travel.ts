// `FROM t AT (VERSION => n)` and `AT (TIMESTAMP => …)`: the statement is written anew with such tables in a catalog of their
// snapshot, so that one statement can read several snapshots of one table.

import type { DuckDBConnection } from "@duckdb/node-api";
import { Failure } from "../failure.ts";
import { fromDuckdb } from "./duckdb-errors.ts";
import { catalogAt, type TableName } from "./query-messages.ts";

type Node = { [key: string]: unknown };

/** Each snapshot is planned by itself. */
const SNAPSHOTS_MAX = 20;
/** Of a constant instant: literals, casts, sums and differences, and the words for now. */
const CLASSES = new Set(["CONSTANT", "CAST", "FUNCTION", "COLUMN_REF"]);
const FUNCTIONS = new Set([
  ...["+", "-", "*", "trunc", "date_trunc", "now", "get_current_timestamp", "transaction_timestamp", "today", "current_date"],
  ...["years", "months", "weeks", "days", "hours", "minutes", "seconds", "milliseconds", "microseconds"].map((unit) => `to_${unit}`),
]);
const NOW_WORDS = new Set(["current_timestamp", "current_date", "localtimestamp"]);

const refuse = (message: string): never => {
  throw new Failure("statement_refused", message);
};

/** `sql` is a SELECT the gate has let pass. Answers it with its catalogs put in, and the tables it reads from them. */
export async function travelInTime(connection: DuckDBConnection, sql: string): Promise<{ body: string; tables: TableName[] }> {
  const tree = await serialise(connection, sql);
  const double = await serialise(connection, "SELECT CAST('1' AS DOUBLE)");
  for (const node of doublesIn(tree)) replaceDouble(node, double);
  const tables: TableName[] = [];
  for (const node of travellersIn(tree)) {
    const at = await labelOf(connection, node.at_clause as Node);
    const [catalog, schema, name] = [node.catalog_name, node.schema_name, node.table_name].map((part) => String(part ?? "")) as [string, string, string];
    // `LAKE.t` is a table of the schema main.
    const isShort = catalog === "" && (schema === "" || schema.toLowerCase() === "lake");
    tables.push({ catalog: catalog || "LAKE", schema: isShort ? "main" : schema, name, position: undefined, at });
    Object.assign(node, { catalog_name: catalogAt(at), schema_name: isShort ? "main" : schema, at_clause: null });
  }
  if (new Set(tables.map(({ at }) => at)).size > SNAPSHOTS_MAX) refuse(`A statement may read ${SNAPSHOTS_MAX} snapshots.`);
  return { body: await deserialise(connection, tree), tables };
}

async function serialise(connection: DuckDBConnection, sql: string): Promise<Node> {
  const reader = await connection.runAndReadAll("SELECT json_serialize_sql($1::VARCHAR)", [sql]);
  return (JSON.parse as ParseExactly)(String(reader.getRows()[0]![0]), exactly) as Node;
}

/** Numbers past what a double holds, which constants and places are, keep their digits on the way back. */
function exactly(_key: string, value: unknown, { source }: { source: string }): unknown {
  return typeof value === "number" && String(value) !== source ? rawJson(source) : value;
}

/** Of JavaScript's newest, which TypeScript does not know yet. */
const { rawJSON: rawJson } = JSON as unknown as { rawJSON(text: string): unknown };
type ParseExactly = (text: string, reviver: typeof exactly) => unknown;

async function deserialise(connection: DuckDBConnection, tree: Node): Promise<string> {
  const reader = await connection.runAndReadAll("SELECT json_deserialize_sql($1::JSON)", [JSON.stringify(tree)]);
  return String(reader.getRows()[0]![0]).replace(/;\s*$/, "");
}

function* travellersIn(node: unknown): Generator<Node> {
  if (typeof node !== "object" || node === null) return;
  const known = node as Node;
  if (known.type === "BASE_TABLE" && known.at_clause) yield known;
  for (const child of Object.values(known)) yield* travellersIn(child);
}

function* doublesIn(node: unknown): Generator<Node> {
  if (typeof node !== "object" || node === null) return;
  const known = node as Node;
  const value = known.class === "CONSTANT" ? (known.value as Node) : undefined;
  if (value) yield* (value.type as Node).id === "DOUBLE" && value.is_null === false ? [known] : [];
  else for (const child of Object.values(known)) yield* doublesIn(child);
}

/** DuckDB would write 1e0 as 1.0, which is a decimal: it becomes a cast of its digits, as `template` has one. */
function replaceDouble(node: Node, template: Node): void {
  const [cast] = structuredClone(((template.statements as Node[])[0]!.node as Node).select_list as Node[]);
  ((cast!.child as Node).value as Node).value = JSON.stringify((node.value as Node).value);
  Object.assign(node, cast, { alias: node.alias });
}

async function labelOf(connection: DuckDBConnection, { unit, expr }: Node): Promise<string> {
  if (String(unit).toUpperCase() === "VERSION") {
    const { value } = ((expr as Node).value ?? {}) as Node;
    return (expr as Node).class === "CONSTANT" && Number.isSafeInteger(value) && Number(value) >= 0 ? String(value) : refuse("AT (VERSION => …) takes the number of a snapshot.");
  }
  if (String(unit).toUpperCase() !== "TIMESTAMP") refuse("AT takes VERSION => a snapshot's number or TIMESTAMP => an instant.");
  if (!isConstant(expr)) refuse("AT (TIMESTAMP => …) takes a constant instant, such as '2026-01-31 10:00:00' or now() - INTERVAL 1 DAY.");
  const instant = await instantOf(connection, expr);
  return Number.isFinite(instant) ? new Date(instant).toISOString() : refuse("AT (TIMESTAMP => …) takes an instant between the years 0 and 9999.");
}

function isConstant(node: unknown): boolean {
  if (typeof node !== "object" || node === null) return true;
  const { class: kind, function_name: name, column_names: words } = node as Node;
  if (typeof kind === "string" && !CLASSES.has(kind)) return false;
  if (kind === "FUNCTION" && !FUNCTIONS.has(String(name))) return false;
  if (kind === "COLUMN_REF" && !(Array.isArray(words) && words.length === 1 && NOW_WORDS.has(String(words[0]).toLowerCase()))) return false;
  return Object.values(node).every(isConstant);
}

/** In Unix milliseconds; NaN where it is none. A time without a zone is in UTC. */
async function instantOf(connection: DuckDBConnection, expression: unknown): Promise<number> {
  const tree = await serialise(connection, "SELECT epoch_ms(CAST(CAST(NULL AS INTEGER) AS TIMESTAMP WITH TIME ZONE))");
  const [call] = ((tree.statements as Node[])[0]!.node as Node).select_list as Node[];
  ((call!.children as Node[])[0]! as Node).child = expression;
  try {
    const reader = await connection.runAndReadAll(await deserialise(connection, tree));
    return Number(reader.getRows()[0]![0] ?? Number.NaN);
  } catch (error) {
    throw fromDuckdb(error, "", 0);
  }
}
