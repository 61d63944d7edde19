// Puts what a caller may see in the place of the relations that a statement names, in its text, and checks by the parse
// tree that nothing else of it changed. Runs in the gate's thread.

import { isDeepStrictEqual } from "node:util";
import { parse, refused, tokensOf, type StatementText } from "../gate/check-statement.ts";
import type { GateRules } from "../gate/gate-rules.ts";
import { quoteIdentifier, quoteTable } from "../sql-text.ts";
import {
  notAllowed,
  readBoundStatement,
  unknownRelation,
  type NodeHolder,
  type RelationReference,
  type WalkedStatement,
} from "./bound-statement.ts";

/**
 * The table that a reference names. With `view`, a SELECT in parentheses stands in its place; else it is read as it is.
 */
export type Replacement = { schema: string; name: string; view?: string | undefined };

/** Counts characters from 0; `inserted` stand where `removed` stood in the statement as it was sent. */
export type TextEdit = { at: number; removed: number; inserted: number };
export type RewrittenStatement = { sql: string; edits: TextEdit[] };

type ByteEdit = { from: number; to: number; text: string };
type Token = ReturnType<typeof tokensOf>[number];

/** `replacements`: one for each reference of the statement, in order. */
export function rewriteStatement(
  text: StatementText,
  replacements: readonly Replacement[],
  rules: GateRules,
): RewrittenStatement {
  const { sql } = text;
  const walked = readBoundStatement(text, rules);
  const bytes = Buffer.from(sql);
  const tokens = new Tokens(sql);
  const edits = walked.references.map((reference, i) => relationEdit(reference, replacements[i]!, tokens));
  const stripped = columnsToStrip(walked, replacements, bytes);
  for (const i of stripped) edits.push(tokens.firstName(walked.columns[i]!.location));
  edits.sort((a, b) => a.from - b.from);
  const rewritten = applyEdits(bytes, edits);
  checkRewritten(walked, replacements, stripped, rewritten.sql);
  return rewritten;
}

/** The characters before a byte of the statement. */
export const charactersBefore = (bytes: Buffer, at: number): number => countCharacters(bytes.subarray(0, at));

/** A byte that goes on with a character is not its first. */
function countCharacters(bytes: Buffer): number {
  let count = 0;
  for (const byte of bytes) if ((byte & 0xc0) !== 0x80) count++;
  return count;
}

function applyEdits(bytes: Buffer, edits: readonly ByteEdit[]): RewrittenStatement {
  const parts: Buffer[] = [];
  const moved: TextEdit[] = [];
  let at = 0;
  let characters = 0;
  for (const { from, to, text } of edits) {
    if (from < at) throw new Error("Two edits of a statement overlap.");
    const kept = bytes.subarray(at, from);
    const inserted = Buffer.from(text);
    characters += countCharacters(kept);
    const removed = countCharacters(bytes.subarray(from, to));
    moved.push({ at: characters, removed, inserted: countCharacters(inserted) });
    characters += removed;
    parts.push(kept, inserted);
    at = to;
  }
  parts.push(bytes.subarray(at));
  return { sql: Buffer.concat(parts).toString(), edits: moved };
}

function relationEdit(reference: RelationReference, { schema, name, view }: Replacement, tokens: Tokens): ByteEdit {
  const span = tokens.qualifiedName(reference.location);
  if (view === undefined) return tokens.edit(span, quoteTable({ schema, name }));
  const whole = tokens.relation(span, reference.only);
  const isTable = tokens.textBefore(whole.first) === "table";
  if (isTable) whole.first--;
  const alias = reference.alias !== undefined ? "" : ` AS ${quoteIdentifier(reference.name)}`;
  return tokens.edit(whole, `${isTable ? "SELECT * FROM " : ""}${view}${alias}`);
}

/** By index, the columns whose table's name is left of its schema: a view in FROM has no schema. */
function columnsToStrip(walked: WalkedStatement, replacements: readonly Replacement[], bytes: Buffer): number[] {
  return walked.columns.flatMap(({ schema, table, location }, i) => {
    const meant = replacements.filter(
      (to, at) => walked.references[at]!.alias === undefined && to.schema === schema && to.name === table,
    );
    // The server would tell apart which schemas there are.
    if (meant.length === 0) throw unknownRelation(`${schema}.${table}`, charactersBefore(bytes, location) + 1);
    if (meant.every(({ view }) => view === undefined)) return [];
    if (walked.rangeNames.filter((name) => name === table).length > meant.length)
      throw notAllowed(`A column of ${schema}.${table} beside another ${table}, both without an alias,`);
    return [i];
  });
}

/** The statement's tokens, comments left out; `first` and `last` are the indexes of tokens. */
type Span = { first: number; last: number };

class Tokens {
  readonly #tokens: Token[];
  readonly #byStart: ReadonlyMap<number, number>;

  constructor(sql: string) {
    this.#tokens = tokensOf(sql).filter(({ tokenName }) => !/COMMENT$/.test(tokenName));
    this.#byStart = new Map(this.#tokens.map(({ start }, i) => [start, i]));
  }

  edit({ first, last }: Span, text: string): ByteEdit {
    return { from: this.#tokens[first]!.start, to: this.#tokens[last]!.end, text: ` ${text} ` };
  }

  textBefore(index: number): string | undefined {
    return this.#tokens[index - 1]?.text.toLowerCase();
  }

  /** From its first name to its last. */
  qualifiedName(location: number): Span {
    const first = this.#indexAt(location);
    let last = first;
    while (this.#tokens[last + 1]?.text === ".") last += 2;
    for (let i = first; i <= last; i++)
      if (/^u&/i.test(this.#tokens[i]?.text ?? "")) throw notAllowed('A name written as U&"…"');
    return { first, last };
  }

  /** With the words and signs that say whether tables that inherit from it are read. */
  relation({ first, last }: Span, only: boolean): Span {
    if (!only) return { first, last: this.#tokens[last + 1]?.text === "*" ? last + 1 : last };
    return this.textBefore(first) === "(" ? { first: first - 2, last: last + 1 } : { first: first - 1, last };
  }

  /** The name and the dot that a qualified name begins with, to be taken away. */
  firstName(location: number): ByteEdit {
    const { first } = this.qualifiedName(location);
    return { from: this.#tokens[first]!.start, to: this.#tokens[first + 2]!.start, text: "" };
  }

  #indexAt(location: number): number {
    const index = this.#byStart.get(location);
    if (index === undefined) throw new Error("No token begins where the parser says that a name does.");
    return index;
  }
}

/** Throws unless the rewritten text is the statement's own tree with the replacements in it, and nothing else. */
function checkRewritten(
  { root, references, holders, columnNodes }: WalkedStatement,
  replacements: readonly Replacement[],
  stripped: readonly number[],
  sql: string,
): void {
  const views = new Map<string, NodeHolder>();
  holders.forEach((holder, i) => {
    const { view, ...name } = replacements[i]!;
    const { alias, ...relation } = holder.RangeVar as Record<string, unknown>;
    if (view === undefined) {
      delete relation.catalogname;
      holder.RangeVar = { ...relation, schemaname: name.schema, relname: name.name, ...(alias ? { alias } : {}) };
      return;
    }
    if (!views.has(view)) views.set(view, viewNode(view));
    delete holder.RangeVar;
    holder.RangeSubselect = { ...views.get(view), alias: alias ?? { aliasname: references[i]!.name } };
  });
  for (const i of stripped) columnNodes[i]!.fields = (columnNodes[i]!.fields as unknown[]).slice(1);
  const [statement, ...more] = parse(sql) as { stmt?: NodeHolder }[];
  if (more.length > 0 || !isDeepStrictEqual(withoutPlaces(statement?.stmt), withoutPlaces(root)))
    throw refused("The statement could not be held to your data-access roles; write it in a simpler way.");
}

function viewNode(view: string): NodeHolder {
  const [parsed] = parse(`SELECT * FROM ${view} AS v`) as { stmt: { SelectStmt: { fromClause: NodeHolder[] } } }[];
  return parsed!.stmt.SelectStmt.fromClause[0]!.RangeSubselect as NodeHolder;
}

/** Where in the text a node stands is no part of what it says. */
const withoutPlaces = (tree: unknown): unknown =>
  JSON.parse(JSON.stringify(tree, (key, value) => (/(location|_start|_end)$/.test(key) ? undefined : value)));
