// A first model of tables, so that questions can be asked at once: a cube a table, sums of its numbers, its times and
// texts as dimensions, joins by its foreign keys or by what its columns are called.

import { stringify } from "yaml";
import { SEMANTIC_LIMITS } from "../limits.ts";
import type { ModelFile } from "./read-model.ts";
import { aliasOf, flawOfDefinitionName, flawOfMemberName, isKeyword } from "./read/names.ts";
import { scanFragment } from "./sql-fragment.ts";

export type DraftTable = {
  /** Left out where a table is found without. */
  schema?: string | undefined;
  name: string;
  columns: { name: string; type: string }[];
  primaryKey: string[];
  foreignKeys?: { columns: string[]; table: { schema?: string | undefined; name: string }; references: string[] }[];
};

/** The dialect decides the quotes: backticks for MySQL, double quotes for the others. */
export type DraftDialect = "duckdb" | "postgres" | "mysql";

/** One file a table. What a model can't name is left out, and tables beyond the most that a model has. */
export function draftModel(tables: readonly DraftTable[], dialect: DraftDialect): ModelFile[] {
  const names = new Names(flawOfDefinitionName);
  const drafted = tables
    .filter(
      ({ columns, schema, name }) => columns.length > 0 && [name, schema ?? name].every((step) => SAYABLE.test(step)),
    )
    .slice(0, Math.min(SEMANTIC_LIMITS.definitionsMax, SEMANTIC_LIMITS.filesMax))
    .map((table) => ({ table, cube: names.take(table.name) }));
  const quote = dialect === "mysql" ? "`" : '"';
  return drafted.map((draft) => ({
    path: `cubes/${draft.cube}.yml`,
    content: stringify({ cubes: [cubeOf(draft, drafted, quote)] }, { lineWidth: 0 }),
  }));
}

type Draft = { table: DraftTable; cube: string };
type DimensionType = "number" | "time" | "boolean" | "string";

function cubeOf({ table, cube }: Draft, drafted: readonly Draft[], quote: string): Record<string, unknown> {
  const names = new Names(flawOfMemberName);
  const joins = joinsOf({ table, cube }, drafted, quote);
  const keys = new Set([...table.primaryKey, ...joins.flatMap(({ columns }) => columns)]);
  const columns = table.columns.flatMap(({ name, type }) => {
    const kind = kindOf(type);
    return kind && scanFragment(columnOf(name, quote), "expression").flaw === undefined
      ? [{ column: name, kind, isKey: keys.has(name) || isNumbering(name) }]
      : [];
  });
  names.take("count");
  const dimensions = columns
    .filter(({ kind, isKey }) => kind !== "number" || isKey)
    .map(({ column, kind }) => ({
      name: names.take(column),
      sql: columnOf(column, quote),
      type: kind,
      ...(table.primaryKey.includes(column) ? { primary_key: true, public: true } : {}),
    }));
  const sums = columns
    .filter(({ kind, isKey }) => kind === "number" && !isKey)
    .map(({ column }) => ({ name: names.take(`total_${wordOf(column)}`), sql: columnOf(column, quote), type: "sum" }));
  return {
    name: cube,
    sql_table: [...(table.schema === undefined ? [] : [table.schema]), table.name]
      .map((step) => quoted(step, quote))
      .join("."),
    ...(joins.length > 0 ? { joins: joins.map(({ columns: _, ...join }) => join) } : {}),
    dimensions,
    measures: [{ name: "count", type: "count" }, ...sums].slice(0, SEMANTIC_LIMITS.membersPerDefinitionMax),
  };
}

/** Names as the reader takes them, each once. */
class Names {
  readonly #taken = new Set<string>();
  readonly #flawOf: (name: string) => string | undefined;

  constructor(flawOf: (name: string) => string | undefined) {
    this.#flawOf = flawOf;
  }

  take(wanted: string): string {
    const word = wordOf(wanted);
    const base = this.#flawOf(word) === undefined && !isKeyword(word) ? word : `the_${word}`;
    let name = base;
    for (let i = 2; this.#taken.has(aliasOf(name)); i++) name = `${base}_${i}`;
    this.#taken.add(aliasOf(name));
    return name;
  }
}

/** In small letters and digits; of other writing nothing is left, and a number has to do. */
function wordOf(name: string): string {
  const word = name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1_$2")
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^_+|_+$/g, "")
    .slice(0, WORD_CHARACTERS_MAX);
  return /^[a-z]/.test(word) ? word : `c_${word}`;
}
const WORD_CHARACTERS_MAX = 100;

/** No model names a table with others. */
const SAYABLE = /^[^\\{}$`]+$/;
const PLAIN = /^[a-z_][a-z0-9_]*$/;
const quoted = (name: string, quote: string): string =>
  PLAIN.test(name) && !RESERVED.has(name) ? name : quote + name.replaceAll(quote, quote + quote) + quote;
/** Reserved by one of the dialects where a table is named; behind a dot nothing is. */
const RESERVED = new Set(
  "all analyse analyze asc authorization between by cast check collate column constraint create cross current database desc describe distinct drop end except exists fetch foreign full grant group groups having index inner insert intersect into join key keys left like limit natural offset on order outer partition primary range rank read references rename right row rows schema select session set show table then to top trigger union unique update usage user using values when where window".split(
    " ",
  ),
);
const escaped = (sql: string): string => sql.replaceAll(/[\\{}]/g, "\\$&");
const columnOf = (column: string, quote: string): string =>
  `{CUBE}.${escaped(PLAIN.test(column) ? column : quote + column.replaceAll(quote, quote + quote) + quote)}`;

const NUMBERS =
  /^(?:u?(?:tiny|small|medium|big|huge)?int(?:eger)?\d*|numeric|decimal|dec|double|float\d*|real|number|money|(?:small|big)?serial)\b/i;
const TIMES = /^(?:date|datetime|timestamp(?:tz)?)\b/i;
const OPAQUE =
  /^(?:bytea|blob|(?:var)?binary|(?:tiny|medium|long)blob|geometry|geography|point|polygon|tsvector|struct|map|union)|\[\d*\]$/i;

/** Undefined for what can't be grouped by. */
function kindOf(type: string): DimensionType | undefined {
  if (/^(?:bool|tinyint\(1\)|bit\(1\))/i.test(type)) return "boolean";
  if (OPAQUE.test(type)) return undefined;
  if (NUMBERS.test(type)) return "number";
  return TIMES.test(type) ? "time" : "string";
}

/** Numbers that count nothing: their sums say nothing either. */
const isNumbering = (column: string): boolean =>
  /(?:^|_)(?:id|no|nr|number|code|zip|postcode|year|month|day|phone|lat|latitude|lng|lon|longitude|version)$/i.test(
    wordOf(column),
  );

type DraftJoin = { name: string; relationship: "many_to_one"; sql: string; columns: string[] };

function joinsOf({ table, cube }: Draft, drafted: readonly Draft[], quote: string): DraftJoin[] {
  if (table.primaryKey.length === 0) return [];
  const keyed = drafted.filter((other) => other.cube !== cube && other.table.primaryKey.length > 0);
  const declared = (table.foreignKeys ?? []).flatMap(({ columns, table: target, references }) => {
    const other = keyed.find(
      (draft) => draft.table.name === target.name && (draft.table.schema ?? "") === (target.schema ?? ""),
    );
    return other ? [{ other, columns, references }] : [];
  });
  const guessed = table.columns.flatMap(({ name, type }) => {
    const other = table.foreignKeys ? undefined : targetOf(name, type, keyed);
    return other ? [{ other, columns: [name], references: other.table.primaryKey }] : [];
  });
  const seen = new Set<string>();
  return [...declared, ...guessed].flatMap(({ other, columns, references }) => {
    // Where two ways lead to a table, neither can be chosen.
    if (seen.has(other.cube)) return [];
    seen.add(other.cube);
    const sql = columns
      .map(
        (column, i) =>
          `${columnOf(column, quote)} = ${columnOf(references[i]!, quote).replace("{CUBE}", `{${other.cube}}`)}`,
      )
      .join(" AND ");
    return [{ name: other.cube, relationship: "many_to_one", sql, columns } as const];
  });
}

/** `user_id` names a row of user, users or usages, if its key is of the same kind. */
function targetOf(column: string, type: string, keyed: readonly Draft[]): Draft | undefined {
  const [, stem] = /^(.+)_id$/.exec(wordOf(column)) ?? [];
  if (stem === undefined) return undefined;
  const names = new Set([stem, `${stem}s`, `${stem}es`, stem.replace(/y$/, "ies")]);
  const found = keyed.filter(({ table }) => names.has(wordOf(table.name)));
  const [only] = found;
  if (!only || found.length > 1 || only.table.primaryKey.length !== 1) return undefined;
  const key = only.table.columns.find(({ name }) => name === only.table.primaryKey[0]);
  return key && kindOf(key.type) === kindOf(type) ? only : undefined;
}
