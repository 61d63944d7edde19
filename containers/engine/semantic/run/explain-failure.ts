// The failure of a query's SQL, for a sender who never saw that SQL: members in place of columns, and no position.

import type { CubeDefinition, SemanticModel } from "../../../../kernel/semantic/model.ts";
import { filterMembers, type SemanticQuery } from "../../../../kernel/semantic/query.ts";
import { Failure } from "../../core/failure.ts";

/** Each database's message for a column or table that does not exist; the last of several names is its own. */
const MISSING = [
  /^Binder Error: Referenced column "([^"]+)" not found/,
  /^Binder Error: .*does not have a column named "([^"]+)"/,
  /^Catalog Error: Table with name ([^\s!]+) does not exist/,
  /^There is no table "([^"]+)"/,
  /^The table (\S+) does not exist/,
  /^column "?([^"\s]+)"? does not exist/,
  /^relation "([^"]+)" does not exist/,
  /^Unknown column '([^']+)' in /,
  /^Table '([^']+)' doesn't exist/,
];
const NAMED_MAX = 5;
/** MySQL and MariaDB quote the statement from where they stopped reading: SQL that its sender never saw. */
const QUOTED_REST = / to use near '.*' at line \d+$/s;

/** The failure for the query's sender: the database's words, and the members that they are about. */
export function explainFailure(error: unknown, model: SemanticModel, query: SemanticQuery): unknown {
  if (!(error instanceof Failure)) return error;
  const { code, reason, cause } = error;
  const message = code === "sql_error" ? error.message.replace(QUOTED_REST, "") : error.message;
  const more = { ...(reason === undefined ? {} : { reason }), cause };
  if (code === "statement_refused")
    return new Failure(code, `The SQL that the model makes of this query is refused: ${message}`, more);
  if (code !== "sql_error") return error.position === undefined ? error : new Failure(code, message, more);
  const missing = MISSING.map((pattern) => pattern.exec(message)?.[1]).find((name) => name !== undefined);
  const members = missing === undefined ? [] : membersThatName(missing.split(".").at(-1)!, model, query);
  if (members.length === 0) return new Failure(code, message, more);
  return new Failure(code, `The semantic model reads what is not there, in ${members.join(", ")}: ${message}`, more);
}

/** The query's members whose SQL has the name; where there are none, all of the model's. */
function membersThatName(name: string, { cubes }: SemanticModel, query: SemanticQuery): string[] {
  const word = new RegExp(`(?<![\\w$])${name.replace(/[^\w]/g, "\\$&")}(?![\\w$])`, "i");
  const found = cubes.flatMap((cube) => membersOf(cube).flatMap(({ member, sql }) => (word.test(sql) ? [member] : [])));
  const asked = found.filter((member) => membersIn(query).has(member));
  const named = asked.length > 0 ? asked : found;
  return named.length > NAMED_MAX ? [...named.slice(0, NAMED_MAX), "and others"] : named;
}

/** The members, each with the texts of its definition. A cube itself stands for its table, and for its joins. */
function membersOf(cube: CubeDefinition): { member: string; sql: string }[] {
  const members = ["dimensions", "measures", "segments"].flatMap((kind) => {
    const list = cube[kind];
    return (Array.isArray(list) ? list : []).map((each: unknown) => {
      // Fields that only describe the member may contain the column's name by chance.
      const { name = "", sql = name, title, description, meta, ...rest } = each as Record<string, string>;
      return { member: `${cube.name}.${name}`, sql: JSON.stringify([sql, rest]) };
    });
  });
  return [...members, { member: cube.name, sql: JSON.stringify([cube.sql, cube.sql_table, cube.joins]) }];
}

function membersIn({ measures, dimensions, timeDimensions, segments, filters }: SemanticQuery): Set<string> {
  return new Set([
    ...measures,
    ...dimensions,
    ...timeDimensions.map(({ dimension }) => dimension),
    ...segments,
    ...filters.flatMap(filterMembers),
  ]);
}
