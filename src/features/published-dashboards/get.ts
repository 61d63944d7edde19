import type { Needs } from "../../clients/context.ts";
import { requirePublication } from "../publications/find.ts";
import { shownDashboard, type PublishedDashboard } from "./published-dashboard.ts";

export const getPublishedDashboard = async (ctx: Needs<"scope" | "db">, id: string): Promise<PublishedDashboard> =>
  shownDashboard(await requirePublication(ctx, "dashboard", id));
