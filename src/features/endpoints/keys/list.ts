import type { Page, PageOf } from "../../../core/page.ts";
import type { Needs } from "../../../clients/context.ts";
import { requirePublication } from "../../publications/find.ts";
import type { EndpointKey } from "./key.ts";
import { selectEndpointKeys } from "./store.ts";

/** An endpoint's keys, oldest first; expired ones are among them. */
export async function listEndpointKeys(
  ctx: Needs<"scope" | "db">,
  endpointId: string,
  page: Page,
): Promise<PageOf<EndpointKey>> {
  const { id } = await requirePublication(ctx, "endpoint", endpointId);
  return selectEndpointKeys(ctx.db, { teamId: ctx.scope.teamId, endpointId: id }, page);
}
