// One pass over a statement's syntax tree: refuses what may not run, and gathers the tables and files it reads.

import { replacementHint } from "../../duckdb/foreign-functions.ts";
import { foldName } from "../../duckdb/names.ts";
import type { Analysis, TableRef } from "./analysis.ts";
import { catalogAt, DEFAULT_SCHEMA } from "./catalogs.ts";
import { callReferences, isFileFunction, isUri, tableReference, type DriveReference } from "./drive-references.ts";
import {
  ALLOWED_FUNCTIONS,
  goesByHiddenText,
  isAgeToday,
  METADATA_VIEWS,
  namesZonedTime,
  TABLE_FUNCTIONS,
  textIsUnsteady,
  UNSTEADY_TABLE_FUNCTIONS,
} from "./gate-functions.ts";
import { applyEdit, editOf, type Edit, type MovedTable } from "./moved-tables.ts";
import { BACKTICKS, findOtherDialect } from "./hints/other-dialects.ts";
import { LakeText } from "./sql-text.ts";
import { positionIn, refuse, type Node } from "./syntax-tree.ts";
import type { TimeTravelRef, TimeTravelTable } from "./time-travel.ts";

/**
 * The most nodes of a statement. They bound the cost of planning, which grows faster than the statement: ten thousand
 * nodes plan in well under a second.
 */
const NODES_MAX = 20_000;
/** Nodes that are allowed in addition for each bound value: a cast of a parameter, and its type. */
const NODES_OF_A_VALUE = 10;
const DEPTH_MAX = 250;
/** A name that no replacement scan can take for a file. */
const PLAIN_NAME = /^[\p{L}_][\p{L}\p{N}_ $-]*$/u;

/** Names that the running DuckDB knows. */
export type KnownNames = {
  /** Functions whose value may be another in the next statement. */
  unsteady: Set<string>;
  /** Relations every DuckDB instance holds; a common table expression may not hide one. */
  builtins: Set<string>;
};

/** `values`: the number of bound values; undefined where the statement may have no parameters. */
export type WalkOptions = { moved: readonly MovedTable[]; values: number | undefined };

export class StatementWalk {
  readsMetadata = false;
  /** References by their offset in the body: the parser repeats some parts of a statement. */
  readonly driveFiles = new Map<number, DriveReference>();
  /** The tables that the statement names as of earlier snapshots. */
  readonly travellers: TimeTravelRef[] = [];
  isSteady = true;
  readonly #body: string;
  readonly #offset: number;
  readonly #known: KnownNames;
  readonly #ctes = new Set<string>();
  readonly #named: TableRef[] = [];
  readonly #moved: readonly MovedTable[];
  readonly #values: number | undefined;
  readonly #edits = new Map<number, Edit>();
  #nodes = 0;

  constructor(body: string, offset: number, known: KnownNames, { moved, values }: WalkOptions) {
    this.#body = body;
    this.#offset = offset;
    this.#known = known;
    this.#moved = moved;
    this.#values = values;
  }

  found(): Pick<Analysis, "tables" | "readsMetadata" | "driveFiles" | "isSteady"> {
    return {
      tables: this.tables(),
      readsMetadata: this.readsMetadata,
      driveFiles: [...this.driveFiles.values()],
      isSteady: this.isSteady,
    };
  }

  /**
   * Every relation that is not a common table expression somewhere in the statement; the locked database holds no
   * others anyway.
   */
  tables(): TableRef[] {
    return this.#named.filter(
      ({ catalog, schema, name }) => catalog !== "" || schema !== "" || !this.#ctes.has(foldName(name)),
    );
  }

  /**
   * DuckDB knows information_schema without a catalog only, and columns of moved tables by fewer names: those before
   * are blanked, every other character staying where it is.
   */
  rewritten(): string {
    return [...this.#edits].reduce((text, [at, edit]) => applyEdit(text, at, edit), this.#body);
  }

  /** The tree that {@link rewritten}, with `travelled` put in it, must parse to; positions aside. */
  meant(node: unknown, travelled: readonly TimeTravelTable[]): unknown {
    if (Array.isArray(node)) return node.map((child) => this.meant(child, travelled));
    if (typeof node !== "object" || node === null) return node;
    const { query_location: bytes, ...known } = node as Node;
    const edit = this.#edits.get(this.#text.placeOf({ query_location: bytes }) ?? -1);
    const at = this.travellers.findIndex((traveller) => traveller.node === node);
    const changed = at >= 0 ? travelledNode(known, travelled[at]!) : edit ? editedNode(known, edit) : known;
    return Object.fromEntries(Object.entries(changed).map(([key, child]) => [key, this.meant(child, travelled)]));
  }

  visit(node: unknown, depth: number): void {
    if (typeof node !== "object" || node === null) return;
    if (depth > DEPTH_MAX)
      refuse(
        `The statement nests too deep: an expression may have ${DEPTH_MAX} levels, of which each sign between two ` +
          "values is one.",
      );
    if (Array.isArray(node)) return node.forEach((child) => this.visit(child, depth));
    if (++this.#nodes > NODES_MAX + NODES_OF_A_VALUE * (this.#values ?? 0))
      refuse(
        `The statement is too complex: it may have ${NODES_MAX} parts. Write long lists as rows of VALUES, or as a ` +
          "file of the drive.",
      );
    const known = node as Node;
    this.#check(known);
    if (known.class === "CONSTANT") return;
    for (const [key, child] of Object.entries(known)) {
      // The numbers of parameters are left out: parameters are nodes of their own.
      if (key === "named_param_map") continue;
      if (key === "function" && known.type === "TABLE_FUNCTION")
        for (const part of Object.values(child as Node)) this.visit(part, depth + 1);
      else this.visit(child, depth + 1);
    }
  }

  #check(node: Node): void {
    const position = this.#positionOf(node);
    this.#addCtes(node);
    if (node.type === "BASE_TABLE") this.#addTable(node, position);
    if (node.type === "TABLE_FUNCTION") this.#checkTableFunction(node.function as Node | undefined, position);
    if (node.type === "SHOW_REF" && !node.query) this.#addShow(node);
    if (node.class === "PARAMETER" && this.#values === undefined)
      refuse("The statement has parameters: send their values in parameters, by name.", position);
    if (node.class === "COLUMN_REF") this.#checkColumn(node, position);
    if (node.class === "FUNCTION" || node.class === "WINDOW") this.#checkFunction(node, position);
    // A query's or a table's sample is unsteady even with a seed, as threads draw it.
    if (node.sample || namesZonedTime(node.cast_type)) this.isSteady = false;
    if (node.class === "CONSTANT" && textIsUnsteady((node.value as Node | undefined)?.value)) this.isSteady = false;
  }

  #positionOf({ query_location: bytes }: Node): number | undefined {
    return typeof bytes === "number" ? positionIn(this.#body, bytes, this.#offset) : undefined;
  }

  #addCtes({ cte_map: ctes, cte_name: name }: Node): void {
    const map = (ctes as Node | undefined)?.map;
    if (Array.isArray(map)) for (const { key } of map as Array<{ key: string }>) this.#addCte(key);
    if (typeof name === "string" && name !== "") this.#addCte(name);
  }

  #checkTableFunction(call: Node | undefined, position: number | undefined): void {
    const name = foldName(String(call?.function_name));
    if (UNSTEADY_TABLE_FUNCTIONS.has(name)) this.isSteady = false;
    if (isFileFunction(name)) this.#addDriveFiles(callReferences(name, call!, this.#text));
    else if (!TABLE_FUNCTIONS.has(name))
      refuse(`The table function ${name} can't be used here.${replacementHint(name)}`, position);
  }

  #checkColumn({ column_names: written }: Node, position: number | undefined): void {
    const names = (written ?? []) as string[];
    // DuckDB reads some words as functions, such as current_timestamp, where there is no column of the name.
    if (this.#known.unsteady.has(foldName(String(names.at(-1))))) this.isSteady = false;
    const edit = position === undefined ? undefined : editOf(names, this.#moved);
    if (edit) this.#edits.set(position! - 1 - this.#offset, edit);
  }

  #checkFunction(node: Node, position: number | undefined): void {
    const name = foldName(String(node.function_name ?? ""));
    if (this.#known.unsteady.has(name) || isAgeToday(name, node.children) || goesByHiddenText(name, node))
      this.isSteady = false;
    if (name.includes("`")) {
      const { message, at } = findOtherDialect(new LakeText(this.#body)) ?? { message: BACKTICKS, at: 0 };
      refuse(message, this.#offset + at + 1);
    }
    if (name !== "" && !ALLOWED_FUNCTIONS.has(name))
      refuse(`The function ${name} does not exist or can't be used here.${replacementHint(name)}`, position);
  }

  /** The statement's text, as the search for paths needs it. */
  get #text() {
    const body = this.#body;
    const offset = this.#offset;
    const placeOf = ({ query_location: bytes }: Node): number | undefined =>
      typeof bytes === "number" ? positionIn(body, bytes, -1) : undefined;
    return { body, offset, placeOf };
  }

  #addDriveFiles(references: DriveReference[]): void {
    for (const reference of references) this.driveFiles.set(reference.at, reference);
  }

  #addCte(name: string): void {
    if (!PLAIN_NAME.test(name) || this.#known.builtins.has(foldName(name)))
      refuse(`A common table expression can't be named ${JSON.stringify(name)}.`);
    this.#ctes.add(foldName(name));
  }

  #addTable(node: Node, position: number | undefined): void {
    const [catalog, schema, name] = [node.catalog_name, node.schema_name, node.table_name].map((part) =>
      String(part ?? ""),
    ) as [string, string, string];
    if (node.at_clause) {
      if (position === undefined) refuse("AT can't be used here.");
      else this.travellers.push({ node, at: position - 1 - this.#offset });
      return;
    }
    if (catalog === "" && schema === "" && isUri(name)) this.#addDriveFiles([tableReference(name, node, this.#text)]);
    else if (foldName(schema) !== "information_schema") this.#named.push({ catalog, schema, name, position });
    else if (METADATA_VIEWS.has(foldName(name)) && ["", "lake"].includes(foldName(catalog))) {
      this.readsMetadata = true;
      if (catalog !== "" && position !== undefined)
        this.#edits.set(position - 1 - this.#offset, { namesDropped: 1, toSchema: false });
    } else refuse(`information_schema.${name} can't be read here; tables, columns and schemata can.`, position);
  }

  #addShow(node: Node): void {
    const shown = String(node.table_name ?? "").replaceAll('"', "");
    if (shown === "tables" || shown === "schemas")
      refuse("Within another statement write (SHOW ALL TABLES), or read information_schema.tables and schemata.");
    if (shown !== "__show_tables_expanded" && node.show_type !== "SHOW_FROM")
      refuse("Of SHOW only SHOW TABLES, SHOW ALL TABLES, SHOW TABLES FROM and SHOW SCHEMAS can be run here.");
    this.readsMetadata = true;
  }
}

function travelledNode({ at_clause: _, ...node }: Node, { table }: TimeTravelTable): Node {
  return { ...node, catalog_name: catalogAt(table.travel.at), schema_name: table.schema };
}

/** A column with fewer names before it, or a table of information_schema without its catalog. */
function editedNode(node: Node, { namesDropped, toSchema }: Edit): Node {
  if (node.class === "COLUMN_REF") {
    const names = node.column_names as string[];
    return { ...node, column_names: toSchema ? [DEFAULT_SCHEMA, ...names.slice(1)] : names.slice(namesDropped) };
  }
  const { catalog_name: _, ...rest } = node;
  return node.type === "BASE_TABLE" ? rest : node;
}
