import type { Needs } from "../../../clients/context.ts";
import { requireJob } from "./find.ts";
import type { AutomationJob } from "./job.ts";
import { showJob } from "./show.ts";

/** A job with its last run. */
export const getAutomationJob = async (ctx: Needs<"scope" | "db">, id: string): Promise<AutomationJob> =>
  showJob(ctx, await requireJob(ctx, id));
