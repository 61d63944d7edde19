import { z } from "@hono/zod-openapi";
import { DOC_LIMITS } from "../limits.ts";
import type { Needs } from "../../../clients/context.ts";
import { readSource, requireLiveDoc } from "../find.ts";
import { conductRun } from "./conduct.ts";
import { getDocRun } from "./get.ts";
import { chooseAny, planRun } from "./plan/plan-run.ts";
import type { DocRunDetail } from "./run.ts";
import { startRun } from "./start.ts";

export const NewDocRun = z
  .strictObject({
    datasetKeys: z
      .array(z.string())
      .min(1)
      .max(DOC_LIMITS.datasetsMax)
      .optional()
      .openapi({ description: "All datasets when absent. What they need runs too." }),
  })
  .openapi("NewDocRun", { example: { datasetKeys: ["score"] } });
export type NewDocRun = z.infer<typeof NewDocRun>;

/**
 * Starts a run of a doc's datasets, of any engine, and answers at once. `waitUntil` lets the call of the sandbox
 * outlive the request.
 */
export async function runDoc(
  ctx: Needs<"scope" | "db" | "bucket" | "tokens" | "openSandbox" | "openLake">,
  id: string,
  { datasetKeys }: NewDocRun,
  waitUntil: (work: Promise<unknown>) => void,
): Promise<DocRunDetail> {
  const doc = await requireLiveDoc(ctx, id);
  const { definition } = await readSource(ctx, doc);
  const started = await startRun(ctx, {
    doc,
    definition,
    plan: planRun(definition, chooseAny(definition, datasetKeys)),
    cause: "manual",
    hasEnvelope: false,
  });
  waitUntil(conductRun(ctx, started).catch(() => undefined));
  return getDocRun(ctx, doc.id, started.run.id);
}
