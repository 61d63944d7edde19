import type { Needs } from "../../clients/context.ts";
import { shownDestination, type Destination } from "./destination.ts";
import { requireDestination } from "./find.ts";

export const getDestination = async (ctx: Needs<"scope" | "db">, id: string): Promise<Destination> =>
  shownDestination(await requireDestination(ctx, id));
