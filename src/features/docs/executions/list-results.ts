import type { Needs } from "../../../clients/context.ts";
import type { ExecutionResult } from "./execution.ts";
import { resultKey } from "./result-key.ts";
import { selectExecutions } from "../runs/store.ts";

/** The result of one dataset, as it is stored; a null `key` where nothing is. */
export type RunResult = { datasetKey: string; kind: ExecutionResult["kind"]; bytes: number; key: string | null };

/** The results of a run's datasets that succeeded and were asked for, in the order of the run. */
export async function listRunResults({ db }: Needs<"db">, run: { teamId: string; id: string }): Promise<RunResult[]> {
  const executions = await selectExecutions(db, run);
  return executions.flatMap(({ id, datasetKey, isSelected, state, result }) =>
    isSelected && state === "succeeded" && result
      ? {
          datasetKey,
          kind: result.kind,
          bytes: result.bytes,
          key: result.path === null ? null : resultKey(run.teamId, run.id, id),
        }
      : [],
  );
}
