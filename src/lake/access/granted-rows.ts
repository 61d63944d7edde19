// A table's files are pruned to those that can hold a row that a reader may see, by predicates that the conditions of
// the reader's own roles make. The predicates are the same for whatever the reader asks, so that the choice of files
// tells nothing. Pure.

import type { RowCondition } from "../../../kernel/access/access.ts";
import { filterType } from "../../../kernel/lake/lake-types.ts";
import { readCondition, type ConditionReader, type TypedColumn } from "../../../kernel/access/read-condition.ts";
import type { Predicate } from "../../../kernel/lake/lake.ts";
import { allOf, anyOf, EVERY_ROW, type RowPredicate } from "../../../kernel/lake/row-predicates.ts";

/** A plan takes time for each predicate and each file, and no statement of the reader's is without it. */
const PREDICATES_MAX = 100;
const VALUES_MAX = 10_000;

type Column = TypedColumn & { id: number };

/**
 * What a row satisfies for which one of the conditions holds: all predicates of one list. `types` are those of the
 * table's columns, by id. No list: there is no such row.
 */
export function grantedRows(
  grants: readonly RowCondition[],
  types: ReadonlyMap<number, string>,
): RowPredicate<Predicate> {
  const columns = new Map([...types].map(([id, type]): [number, Column] => [id, { id, type: filterType(type) }]));
  const granted = either(grants.map((grant) => readCondition(grant, columns, PREDICATES)));
  const predicates = granted.flat();
  const values = predicates.reduce((sum, predicate) => sum + predicate.values.length, 0);
  return predicates.length > PREDICATES_MAX || values > VALUES_MAX ? EVERY_ROW : granted;
}

const test = ({ id }: Column, op: Predicate["op"], values: readonly string[] = []): RowPredicate<Predicate> => [
  [{ columnId: id, op, values: [...values] }],
];

/** Who has a role for each of some regions, say, has one list of them: more lists than some would be too many. */
function either(tests: readonly RowPredicate<Predicate>[]): RowPredicate<Predicate> {
  const [listed, others]: [Predicate[], (readonly Predicate[])[]] = [[], []];
  for (const list of tests.flat()) {
    if (list.length === 1 && list[0]!.op === "in") listed.push(list[0]!);
    else others.push(list);
  }
  const joined = [...Map.groupBy(listed, ({ columnId }) => columnId)].map(([columnId, predicates]): Predicate[] => [
    { columnId, op: "in", values: [...new Set(predicates.flatMap(({ values }) => values))] },
  ]);
  return anyOf([joined, others]);
}

/** What bounds can't decide holds for every row here. */
const PREDICATES: ConditionReader<Column, RowPredicate<Predicate>> = {
  never: [],
  both: allOf,
  either,
  not: () => EVERY_ROW,
  isNull: (column) => test(column, "is_null"),
  isNotNull: (column) => test(column, "is_not_null"),
  isOneOf: (column, constants) => test(column, "in", constants),
  compares: (column, op, constant) => test(column, op, [constant]),
  holdsText: () => EVERY_ROW,
};
