// The cubes of a query's join, each with its sub-queries beside it, as the text of a FROM.

import type { FinishedJoinTree } from "@cubejs-backend/schema-compiler/dist/src/compiler/JoinGraph.js";
import type { Planned } from "./planned.ts";

type Joined = { sql: string; alias: string; on: string };

/**
 * The joined cubes, with the sub-queries that their joins use, which Cube's own method forgets where it joins for keys
 * or measures. A join by a sub-query of the cube that it leads to needs both at once: Cube's own method puts the
 * sub-query after the join.
 */
export function joinedCubes(query: Planned, { root, joins }: FinishedJoinTree, subQueries: readonly string[]): string {
  const cubeOf = (dimension: string) => query.cubeEvaluator.cubeNameFromPath(dimension) as string;
  const steps = joins.map(({ originalFrom, originalTo, join }) => {
    const onSql = () => String(query.evaluateSql(originalFrom, join.sql, undefined));
    return { to: originalTo, onSql, needed: query.collectSubQueryDimensionsFor(onSql) as string[] };
  });
  const byCube = Map.groupBy(new Set([...subQueries, ...steps.flatMap(({ needed }) => needed)]), cubeOf);
  const subQueriesOf = (cube: string) =>
    (byCube.get(cube) ?? []).map((dimension) => joinSql(query.subQueryJoin(dimension) as Joined)).join("");
  const cubeSql = (cube: string, isJoined: boolean) => {
    const [sql, alias, conditions] = query.rewriteInlineCubeSql(cube, isJoined) as [string, string, string?];
    return { cube: `${sql} AS ${alias}`, conditions: conditions ? ` AND (${conditions})` : "" };
  };
  const joined = steps.map(({ to, onSql, needed }) => {
    const { cube, conditions } = cubeSql(to, true);
    const on = `ON ${onSql()}${conditions}`;
    const isByItsOwn = needed.some((dimension) => cubeOf(dimension) === to);
    return isByItsOwn
      ? `\nLEFT JOIN (${cube}${subQueriesOf(to)}) ${on}`
      : `\nLEFT JOIN ${cube} ${on}${subQueriesOf(to)}`;
  });
  return `${cubeSql(root, false).cube}${subQueriesOf(root)}${joined.join("")}`;
}

const joinSql = ({ sql, alias, on }: Joined): string => `\nLEFT JOIN ${sql} AS ${alias} ON ${on}`;
