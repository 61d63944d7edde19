// The order of a query's rows: the one that was asked for, or Cube's default.

import type { SemanticQuery } from "../../../../kernel/semantic/query.ts";
import type { QueryFlaws } from "./flaws.ts";
import type { MetaMembers } from "./meta-members.ts";
import type { SentOrder } from "./read-query.ts";

type Selected = Pick<SemanticQuery, "measures" | "dimensions" | "timeDimensions">;

/**
 * Cube drops what it can't order by without a word, and with a limit the rows are others then: here it is a flaw.
 */
export function normaliseOrder(
  sent: readonly SentOrder[] | undefined,
  selected: Selected,
  members: MetaMembers,
  flaws: QueryFlaws,
): SemanticQuery["order"] {
  if (sent === undefined) return defaultOrder(selected);
  const names = namesOf(selected);
  for (const [index, { id }] of sent.entries()) if (!names.has(id)) flaws.add(["order", index], whyNot(id, members));
  return [...sent];
}

function namesOf({ measures, dimensions, timeDimensions }: Selected): Set<string> {
  const times = timeDimensions.flatMap(({ dimension, granularity }) =>
    granularity === undefined ? [] : [dimension, `${dimension}.${granularity}`],
  );
  return new Set([...measures, ...dimensions, ...times]);
}

function whyNot(id: string, members: MetaMembers): string {
  const name = id.split(".").slice(0, 2).join(".");
  const isThere = members.find("measures", name) ?? members.find("dimensions", name);
  return isThere
    ? `'${id}' is not in the query: order by members that it selects`
    : members.whyMissing(["measures", "dimensions"], name);
}

/** By time if rows are of times, else the largest first, else as the first dimension goes. */
function defaultOrder({ measures, dimensions, timeDimensions }: Selected): SemanticQuery["order"] {
  const time = timeDimensions.find(({ granularity }) => granularity !== undefined);
  if (time) return [{ id: time.dimension, desc: false }];
  const [[measure], [dimension]] = [measures, dimensions];
  if (dimension === undefined) return [];
  return measure === undefined ? [{ id: dimension, desc: false }] : [{ id: measure, desc: true }];
}
