import type { Needs } from "../../clients/context.ts";
import { deletePublication } from "../publications/delete.ts";
import { requirePublication } from "../publications/find.ts";
import { auditedDashboard } from "./published-dashboard.ts";

/** Takes a published dashboard back, with its figures: it answers nobody from now on. */
export async function deletePublishedDashboard(ctx: Needs<"scope" | "db">, id: string): Promise<void> {
  await deletePublication(ctx, await requirePublication(ctx, "dashboard", id), {
    action: "published_dashboard.delete",
    factsOf: auditedDashboard,
  });
}
