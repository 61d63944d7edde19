// query: a statement from the command line, a file or standard input, and its result in any format.

import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { Option, type Command } from "commander";
import {
  FjordProblem,
  type Fjord,
  type Format,
  type NewQuery,
  type QueryResult,
} from "../../../typescript/src/client.ts";
import { connect, LONG_WORK, type AddCommands, type Context } from "../context.ts";
import { UsageError } from "../exit-codes.ts";
import { formatTable } from "../output/table.ts";
import { copyToStdout, hasReader, say, writeData } from "../output/terminal.ts";
import { readStandardInput } from "../settings/prompt.ts";
import { findIntegration } from "./find-integration.ts";
import { collectWords } from "./repeated-option.ts";
import { parseParameters } from "./parameters.ts";

type Output = "table" | Format;
type QueryFlags = {
  file?: string;
  output?: Output;
  param: string[];
  integration?: string;
  timeout?: string;
  watch?: string | true;
};

const OUTPUTS: readonly Output[] = ["table", "json", "ndjson", "csv", "parquet", "arrow"];
const JSON_OUTPUTS: readonly Output[] = ["json", "ndjson"];
const BINARY: readonly Output[] = ["parquet", "arrow"];
const NUMBER_KINDS = new Set(["integer", "bigint", "decimal", "float"]);
const WATCH_SECONDS = 2;
/** A statement is cancelled within this time, or ends by its deadline. */
const CANCEL_MS_MAX = 5_000;

export const addQueryCommand: AddCommands = (program, contextOf) => {
  program
    .command("query")
    .description("run a SQL statement; without one it is read from standard input")
    .argument("[sql]", "the statement; - reads standard input")
    .option("-f, --file <path>", "read the statement from a file")
    .addOption(new Option("-o, --output <format>", "how the result is printed (default: table)").choices(OUTPUTS))
    .option("-p, --param <name=value>", "a parameter: name=text, name:type=value or name:=JSON", collectWords, [])
    .option("-i, --integration <name>", "the database to ask instead of the lake, by name or id")
    .option("--timeout <seconds>", "when the statement is ended")
    .option("-w, --watch [seconds]", "run it again and again")
    .action((sql: string | undefined, flags: QueryFlags, command: Command) => query(contextOf(command), sql, flags));
};

async function query(context: Context, argument: string | undefined, flags: QueryFlags): Promise<void> {
  const output = flags.output ?? (context.options.json ? "json" : "table");
  if (BINARY.includes(output) && process.stdout.isTTY)
    throw new UsageError(`${output} is no text: send it to a file, as fjord query -o ${output} … > result.${output}`);
  if (context.options.json && !JSON_OUTPUTS.includes(output))
    throw new UsageError(`Say --json or -o ${output}, not both.`);
  if (BINARY.includes(output) && flags.watch !== undefined)
    throw new UsageError(`--watch prints results one after another, which are no file of ${output}.`);
  const watch = readWatch(flags.watch, argument);
  const timeoutMs = flags.timeout === undefined ? undefined : secondsOf(flags.timeout);
  const [sql, fjord] = await Promise.all([readSql(watch.argument, flags.file), connect(context, LONG_WORK)]);
  const integration = flags.integration === undefined ? undefined : await findIntegration(fjord, flags.integration);
  const statement: NewQuery = {
    sql,
    ...(flags.param.length > 0 && { parameters: parseParameters(flags.param) }),
    ...(integration && { integration_id: integration.id }),
    ...(timeoutMs !== undefined && { timeout_ms: timeoutMs }),
  };
  const { everyMs } = watch;
  if (everyMs === undefined) return run(context, fjord, { statement, output });
  while (hasReader()) {
    if (process.stdout.isTTY) await writeData("\u001b[2J\u001b[H");
    await run(context, fjord, { statement, output });
    await sleep(everyMs, undefined, { signal: context.signal });
  }
}

/** The parser takes any word after --watch for its seconds: one that is no number is the statement. */
function readWatch(watch: string | true | undefined, argument: string | undefined) {
  if (watch === undefined) return { argument, everyMs: undefined };
  if (watch === true) return { argument, everyMs: secondsOf(WATCH_SECONDS) };
  if (argument !== undefined || Number.isFinite(Number(watch))) return { argument, everyMs: secondsOf(watch) };
  return { argument: watch, everyMs: secondsOf(WATCH_SECONDS) };
}

async function readSql(argument: string | undefined, file: string | undefined): Promise<string> {
  const sql = await findSql(argument, file);
  if (sql.trim() === "") throw new UsageError("The statement is empty.");
  return sql;
}

async function findSql(argument: string | undefined, file: string | undefined): Promise<string> {
  if (argument !== undefined && argument !== "-" && file !== undefined)
    throw new UsageError("Say the statement or its file, not both.");
  if (file !== undefined && file !== "-") return readFile(file, "utf8");
  if (argument !== undefined && argument !== "-") return argument;
  if (process.stdin.isTTY) throw new UsageError('Say a statement: fjord query "SELECT 1"');
  return readStandardInput();
}

function secondsOf(word: string | number): number {
  const ms = Number(word) * 1_000;
  if (!(ms > 0)) throw new UsageError(`${word} is no number of seconds.`);
  return Math.round(ms);
}

/** Runs the statement once. Ctrl-C cancels it by its id: a platform may not notice that its caller is gone. */
async function run(context: Context, fjord: Fjord, asked: { statement: NewQuery; output: Output }): Promise<void> {
  const { statement, output } = asked;
  const requestId = crypto.randomUUID();
  const options = { requestId, signal: context.signal };
  try {
    if (output === "table") return await printTable(await fjord.query(statement, { ...options, numbers: "string" }));
    if (output === "json") return await printDocument(await fjord.stream(statement, "json", options));
    await copyToStdout(await fjord.stream(statement, output, options));
  } catch (error) {
    if (context.signal.aborted) await cancel(context, requestId);
    throw error;
  }
}

async function cancel(context: Context, requestId: string): Promise<void> {
  const fjord = await connect({ ...context, signal: AbortSignal.timeout(CANCEL_MS_MAX) });
  // It may have ended by itself.
  await fjord.cancel(requestId).catch(() => undefined);
}

async function printTable({ types, data, rowCount, truncated, meta }: QueryResult<object>): Promise<void> {
  const columns = types.map(({ name, kind }) => ({ title: name, isNumber: NUMBER_KINDS.has(kind) }));
  const rows = data.map((row) => types.map(({ name }) => (row as Record<string, unknown>)[name]));
  await writeData(formatTable(columns, rows));
  const cached = meta.cachedAt === undefined ? "" : `, kept since ${meta.cachedAt}`;
  say(`${rowCount} ${rowCount === 1 ? "row" : "rows"} in ${meta.durationMs} ms${cached}`, "dim");
  if (truncated) say("These are not all rows: -o csv, ndjson, arrow and parquet have them all.");
}

/** The document as it came, with all its digits, unless it ends with a failure. */
async function printDocument(stream: ReadableStream<Uint8Array>): Promise<void> {
  const text = await new Response(stream).text();
  const document = JSON.parse(text) as { success: boolean };
  if (!document.success) throw new FjordProblem(200, document as object);
  await writeData(text);
}
