// Lists the parts of a member's value: the tables that its cubes read, and every name that its SQL says. More may be
// named than is read, never less.

import type { SemanticModel } from "../../../../kernel/semantic/model.ts";
import { indexModel, sqlOf, type CubeEntry, type Member, type ModelIndex } from "./definitions.ts";
import { aliasOf } from "./read/names.ts";
import { resolveReference, targetsOf } from "./references.ts";
import { scanFragment, type Fragment, type FragmentKind } from "./sql-fragment.ts";
import { viewMembersOf } from "./view-members.ts";

/**
 * `tables` as they are written, without quotes: `[schema, table]` or `[table]`. Tables that `queries` read are not
 * among them; queries are the SQL of cubes, and expressions with sub-queries. `identifiers` have the names of all of
 * it, and `*` where a row is read as a whole; `queryTexts` have the words within the texts of queries.
 */
export type MemberReads = { tables: string[][]; identifiers: Set<string>; queries: string[]; queryTexts: Set<string> };

const nothing = (): MemberReads => ({ tables: [], identifiers: new Set(), queries: [], queryTexts: new Set() });

/** `member`: `cube.member` or `view.member`. Undefined where there is none. */
export function membersRead(definitions: SemanticModel, member: string): MemberReads | undefined {
  const index = indexModel(definitions);
  const [name = "", memberName = ""] = member.split(".");
  const view = index.views.get(name);
  const source = view && viewMembersOf(index, view).find((one) => one.name === memberName && !one.hierarchy);
  const own = index.cubes.get(source?.cube ?? name);
  const found = own?.members.get(source?.member ?? memberName);
  if (!own || !found || (view && !source)) return undefined;
  const reads = nothing();
  addMember({ index, reads, seen: new Set() }, own, found.member);
  return reads;
}

/** The reads of a cube's rows, without any member. */
export function cubeReads(definitions: SemanticModel, cube: string): MemberReads | undefined {
  const index = indexModel(definitions);
  const own = index.cubes.get(cube);
  if (!own) return undefined;
  const reads = nothing();
  addCube({ index, reads, seen: new Set() }, own);
  return reads;
}

/** The reads of a join's condition: of both cubes, and of other cubes that it names. */
export function joinReads(definitions: SemanticModel, from: string, to: string): MemberReads | undefined {
  const index = indexModel(definitions);
  const own = index.cubes.get(from);
  const join = own?.cube.joins?.find(({ name }) => name === to);
  if (!own || !join) return undefined;
  const reads = nothing();
  addMember({ index, reads, seen: new Set() }, own, { name: `>${to}`, sql: join.sql });
  return reads;
}

type Reading = { index: ModelIndex; reads: MemberReads; seen: Set<string> };

function addMember(reading: Reading, own: CubeEntry, member: Member): void {
  const path = `${own.cube.name}.${member.name}`;
  if (reading.seen.has(path)) return;
  reading.seen.add(path);
  addCube(reading, own);
  const sqls = sqlOf(member);
  for (const sql of sqls) addExpression(reading, own, sql);
  // Counting rows takes their keys, or all of them.
  if (sqls.length === 0 || member.name.startsWith(">")) addKeys(reading, own);
  for (const target of targetsOf(reading.index, own, member)) {
    const other = reading.index.cubes.get(target.cube)!;
    addCube(reading, other);
    if (target.kind === "member") addMember(reading, other, other.members.get(target.member)!.member);
  }
}

function addKeys(reading: Reading, own: CubeEntry): void {
  for (const dimension of own.cube.dimensions ?? []) if (dimension.primary_key) addMember(reading, own, dimension);
}

function addCube({ reads, seen }: Reading, { cube }: CubeEntry): void {
  if (seen.has(cube.name)) return;
  seen.add(cube.name);
  if (cube.sql_table !== undefined) reads.tables.push(stepsOf(cube.sql_table));
  if (cube.sql === undefined) return;
  addNames(reads, cube.sql, "query");
}

/** A cube's alias without a column is its row as a whole, whether it is referred to or written out. */
function addExpression({ index, reads }: Reading, own: CubeEntry, sql: string): void {
  const fragment = addNames(reads, sql, "expression");
  const isRow = fragment.bareReferences.some((reference) => resolveReference(index, own, reference).kind === "cube");
  const alias = aliasOf(own.cube.sql_alias ?? own.cube.name);
  if (isRow || [...fragment.identifiers].some((name) => name.toLowerCase() === alias)) reads.identifiers.add("*");
}

function addNames(reads: MemberReads, sql: string, kind: FragmentKind): Fragment {
  const { fragment } = scanFragment(sql, kind);
  if (!fragment) throw new Error("The SQL of a checked model can't be read.");
  for (const name of fragment.identifiers) reads.identifiers.add(name);
  if (fragment.hasStar) reads.identifiers.add("*");
  if (kind === "query" || fragment.mayReadTables) {
    reads.queries.push(sql);
    for (const word of fragment.textWords) reads.queryTexts.add(word);
  }
  return fragment;
}

/** The names of a table, without their quotes. */
export function stepsOf(table: string): string[] {
  const steps = table.match(/"(?:[^"]|"")+"|`[^`]+`|[^."`]+/g) ?? [];
  return steps.map((step) => (/^["`]/.test(step) ? step.slice(1, -1).replaceAll('""', '"') : step));
}
