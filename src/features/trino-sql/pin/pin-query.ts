// A query's text as a team's own Trino is sent it: the text as it is, but for its tables, which are named by the
// cluster's catalog and held to one snapshot each. What is not read here is refused, never passed on unread. Pure.

import type { LakeTableName } from "../../../../kernel/lake/lake.ts";
import type { Edit } from "../../../../kernel/text/edits.ts";
import { quoteIdentifier } from "../../../lake/format/names.ts";
import { tokensOf, type Token } from "../parse/lexer.ts";
import type { Expression, Name, Query } from "../parse/tree.ts";
import { Refusal } from "../refusal.ts";
import type { Call } from "../translate/functions/function.ts";
import { isListed } from "./functions.ts";
import { countOf, isLiteral, literalOf } from "./values.ts";

export type PinOptions = {
  /** The cluster's name of the lake's catalog. */
  catalog: string;
  /** The names by which the text may name the lake, in lower case. */
  lakeCatalogs: readonly string[];
  /** Throws a {@link Refusal} for what is no table of the lake, or is not open whole. Not asked for names of CTEs. */
  findTable: (name: Name[]) => LakeTableName;
  /** The values of the parameters. */
  values: readonly Expression[];
};

export type PinnedQuery = {
  /** The tables that the query names, as often as it does. */
  tables: readonly LakeTableName[];
  /** Edits of the text, in ascending order, by the snapshot of each table in digits. Throws a {@link Refusal}. */
  edits(snapshotOf: (table: LakeTableName) => string): Edit[];
};

/** `query` was parsed from `text`. Throws a {@link Refusal}. */
export function pinQuery(text: string, query: Query, options: PinOptions): PinnedQuery {
  const pinning = new Pinning(text, options);
  pinning.read(query);
  return { tables: pinning.tables, edits: (snapshotOf) => pinning.edits(snapshotOf) };
}

/** What a walk looks at of a node of the tree, whatever its kind. */
type Node = { kind?: unknown; path?: unknown; of?: unknown };
type Parameter = Extract<Expression, { kind: "parameter" }>;
/** A table's name, from its first part to its last. */
type Place = { at: number; end: number; table: LakeTableName };

class Pinning {
  readonly #options: PinOptions;
  readonly #tokens: ReadonlyMap<number, Token>;
  readonly #edits: Edit[] = [];
  readonly #places: Place[] = [];
  /** Names with a catalog in front, of columns or of all of a table's. */
  readonly #qualified: Name[][] = [];

  constructor(text: string, options: PinOptions) {
    this.#options = options;
    this.#tokens = new Map(tokensOf(text).map((token) => [token.at, token]));
  }

  get tables(): LakeTableName[] {
    return this.#places.map(({ table }) => table);
  }

  read(query: Query): void {
    this.#query(query, new Set());
    this.#qualified.forEach((path) => this.#catalog(path));
    // A cluster takes no semicolon.
    for (const { kind, text, at, end } of this.#tokens.values())
      if (kind === "sign" && text === ";") this.#edits.push({ at, end, text: "" });
  }

  edits(snapshotOf: (table: LakeTableName) => string): Edit[] {
    const pinned = this.#places.map(({ at, end, table }): Edit => {
      const snapshotId = snapshotOf(table);
      if (!/^\d{1,19}$/.test(snapshotId)) throw unnamed(table, at);
      const names = [this.#options.catalog, table.schema, table.name].map(quoteIdentifier).join(".");
      return { at, end, text: `${names} FOR VERSION AS OF BIGINT '${snapshotId}'` };
    });
    return [...this.#edits, ...pinned].sort((one, other) => one.at - other.at);
  }

  /** A CTE is known to those after it and to the query's own parts, not to itself. */
  #query({ ctes, limit, offset, ...parts }: Query, outer: ReadonlySet<string>): void {
    const known = new Set(outer);
    for (const { name, query } of ctes) {
      this.#query(query, known);
      known.add(name.text.toLowerCase());
    }
    for (const count of [limit, offset]) if (count?.kind === "parameter") this.#value(count, countOf);
    for (const part of Object.values(parts)) this.#walk(part, known);
  }

  #walk(node: unknown, ctes: ReadonlySet<string>): void {
    if (typeof node !== "object" || node === null) return;
    if ("ctes" in node) return this.#query(node as Query, ctes);
    const { kind, path, of } = node as Node;
    if (kind === "table") return this.#table(node as { at: number; name: Name[] }, ctes);
    if (kind === "parameter") return this.#value(node as Parameter, literalOf);
    if (kind === "call") requireListed(node as Call);
    if ("isQuoted" in node) requireShown(node as Name);
    if (kind === "column") this.#qualified.push(path as Name[]);
    if (kind === "all") this.#qualified.push(of as Name[]);
    for (const part of Object.values(node)) this.#walk(part, ctes);
  }

  #table({ at, name }: { at: number; name: Name[] }, ctes: ReadonlySet<string>): void {
    const [first] = name;
    if (name.length === 1 && ctes.has(first!.text.toLowerCase())) return;
    const table = this.#options.findTable(name);
    if (table.name.includes("$")) throw unnamed(table, first!.at);
    this.#places.push({ at: first!.at, end: this.#endOf(name.at(-1)!.at), table });
    // `TABLE name` has no place for a version.
    if (at !== first!.at) this.#edits.push({ at, end: this.#endOf(at), text: "SELECT * FROM" });
  }

  #value({ at, index }: Parameter, write: (value: Expression) => string): void {
    const value = this.#options.values[index];
    if (!value) throw new Refusal("INVALID_PARAMETER_USAGE", "A parameter has no value.", at);
    const text = write(value);
    if (!isLiteral(text)) throw new Error("The text of a value is no literal.");
    this.#edits.push({ at, end: this.#endOf(at), text: ` ${text} ` });
  }

  /** A column whose name begins with the lake's catalog has the cluster's there. */
  #catalog([catalog, schema, table]: Name[]): void {
    if (!catalog || !table || !this.#options.lakeCatalogs.includes(catalog.text.toLowerCase())) return;
    const isOf = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
    if (!this.tables.some((each) => isOf(each.schema, schema!.text) && isOf(each.name, table.text))) return;
    const text = quoteIdentifier(this.#options.catalog);
    this.#edits.push({ at: catalog.at, end: this.#endOf(catalog.at), text });
  }

  #endOf(at: number): number {
    const token = this.#tokens.get(at);
    if (!token) throw new Error("A name of the tree is not in its text.");
    return token.end;
  }
}

const unnamed = ({ name }: LakeTableName, at: number): Refusal =>
  new Refusal("NOT_SUPPORTED", `The table '${name}' can't be named at the cluster.`, at);

function requireListed(call: Call): void {
  if (isListed(call)) return;
  throw new Refusal("FUNCTION_NOT_FOUND", `Function '${call.name}' is not one that is sent to a cluster.`, call.at);
}

/** The cluster's tables have columns that the lake's have not, such as `"$path"`. */
function requireShown({ text, at }: Name): void {
  if (text.startsWith("$")) throw new Refusal("NOT_SUPPORTED", `The name '${text}' is not sent to a cluster.`, at);
}
