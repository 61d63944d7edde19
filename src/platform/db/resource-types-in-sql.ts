// A resource's type is known to statements as conditions and values of statements. Types are spelt out in them rather
// than bound, because partial indexes go by the text.

import { sql, type SQL, type SQLWrapper } from "drizzle-orm";
import { RESOURCE_FACTS, RESOURCE_TYPES, type ResourceFacts, type ResourceType } from "../../core/resource-types.ts";

const quoted = (text: string): SQL => sql.raw(`'${text}'`);

/** True in SQL where the facts of the row's type hold; `column` has the type. */
export function isOfTypes(column: SQLWrapper, holds: (facts: ResourceFacts) => boolean): SQL {
  const types = RESOURCE_TYPES.filter((type) => holds(RESOURCE_FACTS[type]));
  if (types.length === 0) return sql`false`;
  return sql`(${sql.join(
    types.map((type) => sql`${column} = ${quoted(type)}`),
    sql` or `,
  )})`;
}

/** One of the facts of the row's type, in SQL. */
export const factOfType = (column: SQLWrapper, fact: "workKind" | "endEvent"): SQL =>
  sql`case ${column} ${sql.join(
    RESOURCE_TYPES.map((type: ResourceType) => sql`when ${quoted(type)} then ${quoted(RESOURCE_FACTS[type][fact])}`),
    sql` `,
  )} end`;
