// A delivery's condition judges the result that it looks at, before any other is read.

import type { Needs } from "../../../clients/context.ts";
import { Problem } from "../../../core/problem.ts";
import { lastFate } from "../../messages/of-run.ts";
import { judge, untold, type Judgement, type Seen } from "../condition.ts";
import type { DeliveryRow } from "../delivery.ts";
import { NUMBER_KINDS, type ResultTable } from "../../../../kernel/docs/draw/result-table.ts";
import type { OpenResults } from "./open-results.ts";
import type { StoredResult } from "./results.ts";

/**
 * Without a condition nothing is read. A condition that holds is told of again where nobody has got what was sent as it
 * began to: else a run that finds it unchanged would succeed in silence. Throws the Problem of a result, or a column,
 * that the condition lacks, and of a column that has no numbers.
 */
export async function judgeResults(
  ctx: Needs<"db">,
  delivery: DeliveryRow,
  stored: readonly StoredResult[],
  results: OpenResults,
): Promise<Judgement> {
  const watched = watchedBy(delivery, stored);
  const seen = watched === undefined ? NOTHING : seenOf(await results.open(watched));
  return judge(delivery.condition, await stateBefore(ctx, delivery), seen);
}

async function stateBefore(ctx: Needs<"db">, { conditionState: state, teamId, id: deliveryId }: DeliveryRow) {
  if (!state?.holds) return state;
  const fate = await lastFate(ctx, { teamId, deliveryId });
  return fate === "arrived" ? state : untold(state, { isLost: fate === "lost" });
}

const NOTHING: Seen = { rowCount: 0, first: () => undefined };

/** The result that the condition looks at; undefined where there is no condition. */
function watchedBy({ condition }: DeliveryRow, stored: readonly StoredResult[]): string | undefined {
  if (!condition) return undefined;
  const name = condition.dataset ?? stored[0]?.name;
  if (name !== undefined && stored.some((result) => result.name === name)) return name;
  throw new Problem(
    "validation_failed",
    `The condition looks at the dataset ${name ?? "that is first"}, and it has no result.`,
  );
}

const seenOf = (table: ResultTable): Seen => ({
  rowCount: table.rowCount,
  first(name) {
    const column = table.columns.findIndex((each) => each.name === name);
    if (column < 0)
      throw new Problem("validation_failed", `The result has no column ${name}, which the condition looks at.`);
    const cell = table.rowCount === 0 ? null : table.cell(0, column);
    if (cell === null) return undefined;
    const { kind } = table.columns[column]!;
    // True is 1, and false is 0.
    if (kind !== "boolean" && !NUMBER_KINDS.has(kind))
      throw new Problem(
        "validation_failed",
        `The condition looks at the column ${name}, which is of type ${kind} and no number. Cast it in the query.`,
      );
    const value = Number(cell);
    return Number.isFinite(value) ? value : undefined;
  },
});
