import type { Needs, OfTeam } from "../../../../clients/context.ts";
import { readSource, requireLiveDoc } from "../../find.ts";
import { chooseAny, planRun } from "./plan-run.ts";

export type PreviewedDataset = { key: string; engine: string; isSelected: boolean };

/** Lists the datasets that a run of these (null means all) would run, in its order. Throws as a run would. */
export async function previewRun(
  ctx: Needs<"db"> & OfTeam,
  docId: string,
  datasetKeys: string[] | null,
): Promise<PreviewedDataset[]> {
  const { definition } = await readSource(ctx, await requireLiveDoc(ctx, docId));
  const { datasets } = planRun(definition, chooseAny(definition, datasetKeys ?? undefined));
  return datasets.map(({ key, engine, isSelected }) => ({ key, engine, isSelected }));
}
