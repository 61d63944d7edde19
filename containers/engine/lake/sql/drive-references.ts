// A statement reads the team's drive by literal paths in read_csv and its like, as the syntax tree has them. Pure.

import { foldName } from "../../duckdb/names.ts";
import { Failure } from "../../core/failure.ts";
import { tokenEnd, tokensOf } from "./sql-text.ts";

/** A quoted path in a statement's text. */
export type DriveReference = {
  /** The path, `gs://…`, which may be a glob. */
  uri: string;
  /** Offset of the quoted text in the body, from 0, and its length with the quotes. */
  at: number;
  length: number;
  /** The place of the reference: a function's argument, an item of the argument's list, a table, or a query. */
  stands: "argument" | "item" | "table" | "query";
  /** The position in the whole text, 1-based; undefined where that text was rewritten. */
  position: number | undefined;
};

type Node = { [key: string]: unknown };
/** A node's offset in the body, from 0. */
type PlaceOf = (node: Node) => number | undefined;
type Text = { body: string /** The body's offset in the whole text. */; offset: number; placeOf: PlaceOf };

const words = (text: string): string[] => text.split(" ");

const EVERY = words("filename hive_partitioning hive_types hive_types_autocast union_by_name compression");
const CSV = new Set([
  ...EVERY,
  ...words(
    "all_varchar allow_quoted_nulls auto_detect auto_type_candidates column_names column_types columns comment " +
      "dateformat decimal_separator delim",
  ),
  ...words(
    "dtypes encoding escape files_to_sniff force_not_null header ignore_errors max_line_size maximum_line_size " +
      "names new_line normalize_names",
  ),
  ...words("null_padding nullstr parallel quote sample_size sep skip strict_mode thousands timestampformat types"),
]);
const PARQUET = new Set([...EVERY, ...words("binary_as_string can_have_nan file_row_number")]);
const JSON_OPTIONS = new Set([
  ...EVERY,
  ...words(
    "auto_detect columns convert_strings_to_integers date_format dateformat field_appearance_threshold format " +
      "ignore_errors map_inference_threshold",
  ),
  ...words(
    "maximum_depth maximum_object_size maximum_sample_files records sample_size timestamp_format timestampformat",
  ),
]);

/**
 * By function, the options it may be given: none that names a file, makes a table or makes DuckDB trust a claim about a
 * file.
 */
const OPTIONS: Readonly<Record<string, ReadonlySet<string>>> = {
  read_csv: CSV,
  read_csv_auto: CSV,
  read_parquet: PARQUET,
  parquet_scan: PARQUET,
  ...Object.fromEntries(
    words("read_json read_json_auto read_ndjson read_ndjson_auto").map((name) => [name, JSON_OPTIONS]),
  ),
};

const FORM = "gs://<bucket>/<team_id>/drive/<path>";

export const isFileFunction = (name: string): boolean => Object.hasOwn(OPTIONS, name);

/** Whether a table's name is a path of object storage. */
export const isUri = (name: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(name);

/**
 * The paths that a call of a file function reads. Throws `statement_refused` unless all of them stand there as quoted
 * text.
 */
export function callReferences(name: string, call: Node, text: Text): DriveReference[] {
  const [files, ...options] = (call.children ?? []) as Node[];
  if (files) for (const option of options) checkOption(name, option, text);
  const list = files && listOf(files);
  const constants = list ?? (files ? [files] : []);
  if (constants.length === 0) return refuse(`${name} reads files of the drive: name them, '${FORM}'.`, files, text);
  return constants.map((constant) => {
    const uri = textOf(constant);
    if (uri === undefined)
      return refuse(`${name} takes its paths as plain quoted text, '${FORM}', or as a list of such.`, constant, text);
    return referenceTo({ uri, quote: "'", node: constant, stands: list ? "item" : "argument" }, text);
  });
}

/** The reference of a path in the place of a table; its name decides which function reads it. */
export function tableReference(name: string, node: Node, text: Text): DriveReference {
  const quote = text.body[text.placeOf(node) ?? 0] === '"' ? '"' : "'";
  const reference = referenceTo({ uri: name, quote, node, stands: "table" }, text);
  if (followsShow(text.body, reference.at)) reference.stands = "query";
  functionFor(reference);
  return reference;
}

/** `DESCRIBE 'gs://…'` takes a name where DESCRIBE otherwise takes a query, and no function. */
function followsShow(body: string, at: number): boolean {
  const last = [...tokensOf(body.slice(0, at))].at(-1);
  return /^(?:describe|desc|summarize|show)$/i.test(last?.text ?? "");
}

/** The function that reads a path in the place of a table; throws `statement_refused` where the name does not say. */
export function functionFor({ uri, position }: DriveReference): string {
  const [, ending = ""] = /\.(\w+)(?:\.(?:gz|zst))?$/.exec(uri.toLowerCase()) ?? [];
  const name = BY_ENDING.get(ending);
  if (!name)
    throw new Failure(
      "statement_refused",
      "The file's name does not tell what it holds: read it by read_csv, read_parquet or read_json.",
      { position },
    );
  return name;
}

const BY_ENDING = new Map([
  ...["csv", "tsv", "txt"].map((ending) => [ending, "read_csv"] as const),
  ["parquet", "read_parquet"],
  ...["json", "jsonl", "ndjson"].map((ending) => [ending, "read_json"] as const),
]);

function checkOption(name: string, option: Node, text: Text): void {
  const written = optionName(option);
  if (written === undefined) refuse(`${name} takes one argument, its paths, and options by name.`, option, text);
  else if (!OPTIONS[name]!.has(foldName(written)))
    refuse(`The option ${written} of ${name} does not exist or can't be used here.`, option, text);
}

/** `name = value`, `name := value` or `name => value`. */
function optionName({ alias, type, left }: Node): string | undefined {
  if (typeof alias === "string" && alias !== "") return alias;
  const names =
    type === "COMPARE_EQUAL" ? ((left as Node | undefined)?.column_names as string[] | undefined) : undefined;
  return names?.length === 1 ? names[0] : undefined;
}

function listOf({ class: kind, type, function_name: name, children }: Node): Node[] | undefined {
  const isList = type === "ARRAY_CONSTRUCTOR" || (kind === "FUNCTION" && name === "list_value");
  return isList ? ((children ?? []) as Node[]) : undefined;
}

/** The value of a node that is a plain text. */
function textOf({ class: kind, alias, value }: Node): string | undefined {
  if (kind !== "CONSTANT" || alias) return undefined;
  const {
    type,
    is_null: isNull,
    value: text,
  } = (value ?? {}) as { type?: { id?: string }; is_null?: boolean; value?: unknown };
  return type?.id === "VARCHAR" && !isNull && typeof text === "string" ? text : undefined;
}

type QuotedUri = { uri: string; quote: string; node: Node; stands: DriveReference["stands"] };

/** Throws unless the text to be replaced is exactly what the parser has read there. */
function referenceTo({ uri, quote, node, stands }: QuotedUri, text: Text): DriveReference {
  const { body, offset } = text;
  if (!uri.startsWith("gs://")) refuse(`Only files of the team's drive can be read here: '${FORM}'.`, node, text);
  const at = text.placeOf(node);
  const written = quote + uri.replaceAll(quote, quote + quote) + quote;
  if (at === undefined || body.slice(at, tokenEnd(body, at)) !== written)
    return refuse(`Write the path as plain quoted text: '${FORM}'.`, node, text);
  return { uri, at, length: written.length, stands, position: offset + at + 1 };
}

function refuse(message: string, node: Node | undefined, { offset, placeOf }: Text): never {
  const at = node && placeOf(node);
  throw new Failure("statement_refused", message, { position: at === undefined ? undefined : offset + at + 1 });
}
