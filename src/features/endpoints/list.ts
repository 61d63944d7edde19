import type { Page, PageOf } from "../../core/page.ts";
import type { Needs } from "../../clients/context.ts";
import { listPublications } from "../publications/list.ts";
import { shownEndpoint, type Endpoint } from "./endpoint.ts";

/** A page of the team's endpoints, by name. */
export async function listEndpoints(ctx: Needs<"scope" | "db">, page: Page): Promise<PageOf<Endpoint>> {
  const found = await listPublications(ctx, "endpoint", page);
  return { ...found, items: found.items.map(shownEndpoint) };
}
