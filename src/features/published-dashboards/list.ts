import type { Page, PageOf } from "../../core/page.ts";
import type { Needs } from "../../clients/context.ts";
import { listPublications } from "../publications/list.ts";
import { shownDashboard, type PublishedDashboard } from "./published-dashboard.ts";

/** A page of the team's published dashboards, by name. */
export async function listPublishedDashboards(
  ctx: Needs<"scope" | "db">,
  page: Page,
): Promise<PageOf<PublishedDashboard>> {
  const found = await listPublications(ctx, "dashboard", page);
  return { ...found, items: found.items.map(shownDashboard) };
}
