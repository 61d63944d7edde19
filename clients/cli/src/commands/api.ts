// api, get: any operation of the API by its path, and one field of what it answers.

import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import { FjordProblem } from "../../../typescript/src/client.ts";
import { connect, LONG_WORK, type AddCommands, type Context } from "../context.ts";
import { UsageError } from "../exit-codes.ts";
import { copyToStdout, writeData } from "../output/terminal.ts";
import { parseJson } from "../json.ts";
import { readStandardInput } from "../settings/prompt.ts";
import { collectWords } from "./repeated-option.ts";

type ApiFlags = { method?: string; data?: string; header: string[] };

const BODILESS: ReadonlySet<string> = new Set(["GET", "HEAD"]);
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

export const addApiCommands: AddCommands = (program, contextOf) => {
  program
    .command("api")
    .description("send a request to the API, and print the answer as it comes")
    .argument("<path>", "as /v4/me")
    .option("-X, --method <method>", "GET, or POST where a body is sent, when absent")
    .option("-d, --data <body>", "the body; @file reads a file, and @- standard input")
    .option("-H, --header <line>", "a header, as 'Prefer: respond-async'", collectWords, [])
    .action((path: string, flags: ApiFlags, command: Command) => callApi(contextOf(command), path, flags));
  program
    .command("get")
    .description("print one field of the JSON on standard input")
    .argument("<field>", "as data.items.0.id")
    .action((field: string) => printField(field));
};

async function callApi(context: Context, path: string, { method, data, header }: ApiFlags): Promise<void> {
  // A path of this platform alone, so that no other host ever gets the key.
  if (!path.startsWith("/")) throw new UsageError("Say a path, as /v4/me.");
  const body = data === undefined ? undefined : await readBody(data);
  const headers = new Headers(body === undefined ? {} : { "content-type": "application/json" });
  for (const line of header) {
    const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(line) ?? [];
    if (name === undefined) throw new UsageError(`${line} is no header: say it as 'Name: value'.`);
    if (!HEADER_VALUE.test(value!))
      throw new UsageError(`The value of the header ${name} has characters that none has.`);
    headers.set(name, value!);
  }
  const verb = method?.toUpperCase() ?? (body === undefined ? "GET" : "POST");
  if (!/^[A-Z]+$/.test(verb)) throw new UsageError(`${method} is no method of HTTP.`);
  if (body !== undefined && BODILESS.has(verb)) throw new UsageError(`${verb} sends no body: leave out --data.`);
  const fjord = await connect(context, LONG_WORK);
  const init = { method: verb, headers };
  const response = await fjord.request(path, { ...init, ...(body !== undefined && { body }) });
  if (response.headers.get("content-type")?.startsWith("application/json")) return printDocument(await response.text());
  if (response.body) await copyToStdout(response.body);
}

/** The document as it came, with all its digits, unless it is a result that ends with a failure. */
async function printDocument(text: string): Promise<void> {
  const document = JSON.parse(text) as { success?: unknown };
  if (document.success === false) throw new FjordProblem(200, document as object);
  await writeData(`${text.trimEnd()}\n`);
}

const readBody = (data: string): Promise<string> | string => {
  if (data === "@-") return readStandardInput();
  return data.startsWith("@") ? readFile(data.slice(1), "utf8") : data;
};

/** A text as it is, anything else as JSON. Numbers keep all their digits. */
async function printField(field: string): Promise<void> {
  const text = await readStandardInput();
  if (parseJson(text) === undefined) throw new Error("Standard input is no JSON.");
  let value = JSON.parse(text.replaceAll(JSON_TOKEN, markNumber)) as unknown;
  for (const name of field.split(".")) {
    const isThere = typeof value === "object" && value !== null && Object.hasOwn(value, name);
    if (!isThere) throw new Error(`${field} is not there.`);
    value = (value as Record<string, unknown>)[name];
  }
  const isText = typeof value === "string" && !value.startsWith(NUMBER_MARK);
  await writeData(`${isText ? (value as string) : JSON.stringify(value).replaceAll(MARKED_NUMBER, "$1")}\n`);
}

/** Numbers are read as texts with this mark, since JavaScript's numbers do not hold all digits of JSON's. */
const NUMBER_MARK = "\u0000number:";
const JSON_TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
const MARKED_NUMBER = /"\\u0000number:([\d.eE+-]+)"/g;

const markNumber = (token: string): string => (token.startsWith('"') ? token : JSON.stringify(NUMBER_MARK + token));
