import type { Needs } from "../../clients/context.ts";
import { shownDelivery, type Delivery } from "./delivery.ts";
import { requireDelivery } from "./find.ts";

export const getDelivery = async (ctx: Needs<"scope" | "db">, id: string): Promise<Delivery> =>
  shownDelivery(await requireDelivery(ctx, id));
