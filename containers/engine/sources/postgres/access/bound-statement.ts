// A statement whose caller is bound by data-access roles, read from its parse tree: which relations it names, and that
// it uses nothing but what is known to read no other. Runs in the gate's thread.

import { Failure } from "../../../core/failure.ts";
import { checkStatement, refused, type StatementText } from "../gate/check-statement.ts";
import type { GateRules } from "../gate/gate-rules.ts";
import { ALLOWED_NODES, ALLOWED_VALUE_WORDS, SQL_WORDS } from "./allowed-names.ts";
import { addShown, addUses, noUses, type StatementUses } from "./statement-uses.ts";

/** A relation as the statement names it: no WITH item of its scope is called so. */
export type RelationReference = {
  catalog: string | undefined;
  schema: string | undefined;
  name: string;
  /** Without the tables that inherit from it. */
  only: boolean;
  alias: string | undefined;
  /** In bytes of the statement. */
  location: number;
};

/** `schema.table.column`, or `schema.table.*`. */
export type QualifiedColumn = { schema: string; table: string; location: number };

/** A name after a dot: a column, or a function of what stands before the dot, whose name is `of` if it has one. */
export type Notation = { name: string; of: string | undefined };

export type BoundStatement = {
  references: RelationReference[];
  columns: QualifiedColumn[];
  notations: Notation[];
  /** The names of the items of FROM, each as often as it stands there. */
  rangeNames: string[];
  uses: StatementUses;
};

type Node = Record<string, unknown>;
/** An object that holds a node under its kind: `{"RangeVar": …}`. */
export type NodeHolder = Node;
export type WalkedStatement = BoundStatement & {
  root: NodeHolder;
  /** The holder of each reference, and the node of each qualified column. */
  holders: NodeHolder[];
  columnNodes: Node[];
};
type PlacedReference = { reference: RelationReference; holder: NodeHolder };

const REFERENCES_MAX = 1_000;

/** Throws as `checkStatement`, and `statement_refused` for whatever is not known to be harmless. */
export function readBoundStatement({ sql, parameters }: StatementText, rules: GateRules): WalkedStatement {
  const root = checkStatement(sql, rules, parameters);
  if (!("SelectStmt" in root))
    throw refused("EXPLAIN and SHOW are not allowed to callers who are bound by data-access roles.");
  return new Walk(root, rules).read();
}

/** One and the same for what is denied and what is missing. `position`: 1-based, in characters. */
export const unknownRelation = (name: string, position: number): Failure =>
  new Failure("sql_error", `There is no table "${name}", or your data-access roles do not grant it.`, { position });

/** The names of WITH items that can be seen. */
type NameScope = { names: ReadonlySet<string>; outer: NameScope | undefined };
type Visit = { kind: string; node: Node; holder: NodeHolder; scope: NameScope | undefined };

/** Fields that hold a node whose kind the tree does not say. */
const KIND_OF_FIELD: Readonly<Record<string, string>> = {
  alias: "Alias",
  cycle_clause: "CTECycleClause",
  join_using_alias: "Alias",
  larg: "SelectStmt",
  over: "WindowDef",
  rarg: "SelectStmt",
  search_clause: "CTESearchClause",
  typeName: "TypeName",
  withClause: "WithClause",
};
/** Text search: the first of several arguments may name a configuration. */
const TAKES_CONFIGURATION = /^((phraseto_|plainto_|websearch_)?to_tsquery|to_tsvector|ts_headline)$/;

class Walk {
  readonly #rules: GateRules;
  readonly #statement: Omit<WalkedStatement, "references" | "holders">;
  readonly #found: PlacedReference[] = [];
  /** The columns that stand by themselves in the list of the statement's own results. */
  readonly #shown: ReadonlySet<Node>;
  /** Without recursion: the tree's depth is the caller's choice. */
  readonly #open: Visit[] = [];

  constructor(root: NodeHolder, rules: GateRules) {
    this.#rules = rules;
    this.#statement = { root, columns: [], notations: [], rangeNames: [], columnNodes: [], uses: noUses() };
    this.#shown = new Set(shownColumns(root.SelectStmt as Node));
    this.#open.push({ kind: "SelectStmt", node: root.SelectStmt as Node, holder: root, scope: undefined });
  }

  read(): WalkedStatement {
    for (let visit = this.#open.pop(); visit; visit = this.#open.pop()) this.#visit(visit);
    const found = this.#found.toSorted((a, b) => a.reference.location - b.reference.location);
    return {
      ...this.#statement,
      references: found.map(({ reference }) => reference),
      holders: found.map(({ holder }) => holder),
    };
  }

  #visit({ kind, node, holder, scope }: Visit): void {
    if (!ALLOWED_NODES.has(kind)) throw notAllowed(SQL_WORDS[kind] ?? "A construct of SQL that the statement uses");
    if (this.#shown.has(node)) {
      addShown(this.#statement.uses, node);
      return this.#takeColumn(node);
    }
    addUses(this.#statement.uses, kind, node);
    switch (kind) {
      case "A_Const":
      case "Alias":
        return;
      case "SelectStmt":
        return this.#visitSelect(node, scope);
      case "RangeVar":
        this.#takeRelation(node, holder, scope);
        break;
      case "ColumnRef":
        this.#takeColumn(node);
        break;
      case "A_Indirection":
        this.#statement.notations.push(...namesIn(node.indirection).map((name) => ({ name, of: undefined })));
        break;
      case "FuncCall":
        checkFunction(node, this.#rules);
        break;
      case "TypeName":
        checkType(node, this.#rules);
        break;
      case "A_Expr":
        checkBuiltIn(node.name, "An operator");
        break;
      case "SubLink":
        checkBuiltIn(node.operName, "An operator");
        break;
      case "SortBy":
        checkBuiltIn(node.useOp, "An operator");
        break;
      case "CollateClause":
        checkBuiltIn(node.collname, "A collation");
        break;
      case "SQLValueFunction":
        if (!ALLOWED_VALUE_WORDS.test(String(node.op))) throw notAllowed("The name of a user, schema or database");
    }
    for (const alias of [node.alias, node.join_using_alias] as ({ aliasname: string } | undefined)[])
      if (alias) this.#statement.rangeNames.push(alias.aliasname);
    this.#visitFields(node, scope);
  }

  #visitFields(node: Node, scope: NameScope | undefined): void {
    for (const [field, value] of Object.entries(node)) this.#visitField(field, value, scope);
  }

  #visitField(field: string, value: unknown, scope: NameScope | undefined): void {
    if (typeof value !== "object" || value === null) return;
    if (Array.isArray(value)) {
      for (const item of value) this.#visitField("", item, scope);
      return;
    }
    const node = value as Node;
    const keys = Object.keys(node);
    // An empty place in a list.
    if (keys.length === 0) return;
    const [kind = ""] = keys;
    if (keys.length === 1 && /^[A-Z]/.test(kind))
      this.#open.push({ kind, node: node[kind] as Node, holder: node, scope });
    else this.#open.push({ kind: KIND_OF_FIELD[field] ?? field, node, holder: node, scope });
  }

  /** A WITH item sees those before it, and with RECURSIVE all of its list; the rest of the SELECT sees all. */
  #visitSelect({ withClause, ...rest }: Node, outer: NameScope | undefined): void {
    const { ctes = [], recursive = false } = (withClause ?? {}) as { ctes?: NodeHolder[]; recursive?: boolean };
    const { fold } = this.#rules;
    const items = ctes
      .map((holder) => holder.CommonTableExpr as Node & { ctename: string })
      .map((item) => ({ ...item, ctename: fold(item.ctename) }));
    // The server looks among its own tables, whose names all begin so, where this walk would see the item.
    for (const { ctename } of items)
      if (ctename.startsWith("pg_")) throw notAllowed("A WITH item whose name begins with pg_");
    let scope = outer;
    if (recursive) scope = { names: new Set(items.map(({ ctename }) => ctename)), outer };
    for (const item of items) {
      this.#visitFields(item, scope);
      if (!recursive) scope = { names: new Set([item.ctename]), outer: scope };
    }
    this.#visitFields(rest, scope);
  }

  #takeRelation(node: Node, holder: NodeHolder, scope: NameScope | undefined): void {
    const { catalogname: catalog, schemaname: schema, relname } = node as Record<string, string | undefined>;
    const name = relname!;
    const alias = (node.alias as { aliasname: string } | undefined)?.aliasname;
    if (alias === undefined) this.#statement.rangeNames.push(name);
    if (schema === undefined && isInScope(this.#rules.fold(name), scope)) return;
    if (this.#found.length >= REFERENCES_MAX) throw refused(`The statement names more than ${REFERENCES_MAX} tables.`);
    const location = node.location as number;
    const reference = { catalog, schema, name, only: node.inh !== true, alias, location };
    this.#found.push({ reference, holder });
  }

  #takeColumn(node: Node): void {
    const fields = node.fields as Node[];
    if (fields.length > 3) throw notAllowed("A column with the database's name before it");
    const path = namesIn(fields);
    const [schema, table, last] = path;
    this.#statement.notations.push(...path.slice(1).map((name, i) => ({ name, of: path[i] })));
    if (fields.length < 3 || schema === undefined || table === undefined) return;
    if (last === undefined && !("A_Star" in fields[2]!)) throw notAllowed("A name of this form");
    this.#statement.columns.push({ schema, table, location: node.location as number });
    this.#statement.columnNodes.push(node);
  }
}

/** A set operation has no such list: it brings its columns to one type. */
const shownColumns = ({ targetList = [] }: { targetList?: { ResTarget?: { val?: { ColumnRef?: Node } } }[] }): Node[] =>
  targetList.flatMap(({ ResTarget: target }) => (target?.val?.ColumnRef ? [target.val.ColumnRef] : []));

function isInScope(name: string, scope: NameScope | undefined): boolean {
  for (let at = scope; at; at = at.outer) if (at.names.has(name)) return true;
  return false;
}

function checkFunction({ funcname, args }: Node, { fold, bound }: GateRules): void {
  const path = namesIn(funcname);
  const name = fold(path.at(-1) ?? "");
  checkBuiltIn(funcname, "A function");
  if (!bound.isAllowedFunction(name)) throw notAllowed(`The function ${name}`);
  if (!TAKES_CONFIGURATION.test(name)) return;
  const [first, ...more] = (args ?? []) as { A_Const?: { sval?: { sval?: string } }; ParamRef?: unknown }[];
  if (more.length > 0 && first?.ParamRef) throw notAllowed("A text search configuration that is bound");
  const configuration = first?.A_Const?.sval?.sval;
  if (more.length > 0 && configuration !== undefined && !/^\w*$/.test(configuration))
    throw notAllowed("A text search configuration with its schema");
}

function checkType(node: Node, { fold, bound }: GateRules): void {
  if (node.pct_type || node.setof) throw notAllowed("A type of this form");
  checkBuiltIn(node.names, "A type");
  const name = namesIn(node.names).at(-1) ?? "";
  if (!bound.isAllowedType(fold(name))) throw notAllowed(`The type ${name}`);
}

/** A name without a schema is looked for in PostgreSQL's own. */
function checkBuiltIn(path: unknown, what: string): void {
  const schemas = namesIn(path).slice(0, -1);
  if (schemas.some((schema) => schema !== "pg_catalog")) throw notAllowed(`${what} with its schema`);
}

/** Stars and subscripts are no names. */
const namesIn = (path: unknown): string[] =>
  (Array.isArray(path) ? (path as { String?: { sval?: string } }[]) : []).flatMap(({ String: name }) =>
    name ? [name.sval ?? ""] : [],
  );

/** Says the same whether it exists or not. */
export const notAllowed = (what: string): Failure =>
  refused(`${what} is not allowed to callers who are bound by data-access roles.`);
