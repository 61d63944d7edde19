import { missingAt } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { requireLiveDoc } from "../../docs/find.ts";
import { checkDatasetKeys } from "../../docs/runs/plan/check-dataset-keys.ts";
import { checkSavedRun } from "../../saved-queries/run.ts";
import type { DeliverySource } from "../delivery.ts";

/** Throws `validation_failed` for a source that is not there, or can't be run as it is said. */
export async function checkSource(ctx: Needs<"scope" | "db">, source: DeliverySource): Promise<void> {
  switch (source.kind) {
    case "query":
      return checkSavedRun(ctx, source.query_id, { sent: source.parameters, pointer: "/source/parameters" }).catch(
        missingAt("/source/query_id"),
      );
    case "doc": {
      const doc = await requireLiveDoc(ctx, source.doc_id).catch(missingAt("/source/doc_id"));
      if (source.dataset_keys) await checkDatasetKeys(ctx, doc, source.dataset_keys);
    }
  }
}
