// A doc as what a delivery sends: one run of the doc, as a job of the doc has it.

import type { DeliverySource } from "../../../deliveries/delivery.ts";
import type { StoredResult } from "../../../deliveries/send/results.ts";
import { listRunResults, type RunResult } from "../../../docs/executions/list-results.ts";
import type { Run } from "../../runs/run.ts";
import { startDoc, stopDoc, watchDoc } from "../doc/attempt.ts";
import type { Reading } from "./reading.ts";

type DocSource = Extract<DeliverySource, { kind: "doc" }>;

const runOfDoc = (run: Run, source: DocSource): Run => ({
  ...run,
  resourceId: source.doc_id,
  datasetKeys: source.dataset_keys ?? null,
});

export const READ_DOC: Reading<DocSource> = {
  start: (deps, run, { source, owner }) => startDoc(deps, runOfDoc(run, source), owner),

  async watch(deps, run, { source, owner }) {
    const outcome = await watchDoc(deps, runOfDoc(run, source), owner.now);
    const { observation } = outcome;
    if (observation.kind !== "ended" || observation.outcome !== "succeeded") return outcome;
    const results = await listRunResults(deps, { teamId: run.teamId, id: run.workId! });
    return { stored: results.map(storedResult), docRunId: run.workId! };
  },

  // The results of a doc's run are kept with it.
  forget: () => Promise.resolve(),

  stop: async (deps, run, now) => void (await stopDoc(deps, run, now)),
};

/** Why the result of a dataset is no rows that can be sent; null where it is. */
const WHY_UNSENT: Record<RunResult["kind"], string | null> = {
  frame: null,
  records: null,
  json: "answers JSON, which has no rows to send. Answer a frame or a list of records.",
  none: "answers nothing that could be sent.",
  table: "builds a table. Send a dataset that reads it.",
};

function storedResult({ datasetKey: name, kind, bytes, key }: RunResult): StoredResult {
  const why = WHY_UNSENT[kind];
  const at = why === null && key !== null ? { key } : { unsendable: why ?? WHY_UNSENT.none! };
  return { name, bytes, at };
}
