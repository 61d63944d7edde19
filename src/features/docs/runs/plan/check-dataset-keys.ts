import type { Needs, OfTeam } from "../../../../clients/context.ts";
import type { Doc } from "../../doc.ts";
import { readSource } from "../../find.ts";
import { chooseAny } from "./plan-run.ts";

/** Throws `validation_failed` with a flaw at each key that the doc, as it is now, does not have. */
export async function checkDatasetKeys(ctx: Needs<"db"> & OfTeam, doc: Doc, keys: string[]): Promise<void> {
  chooseAny((await readSource(ctx, doc)).definition, keys);
}
