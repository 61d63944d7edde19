import type { Needs } from "../../clients/context.ts";
import { shownEndpoint, type Endpoint } from "./endpoint.ts";
import { requireEndpoint } from "./find.ts";

export const getEndpoint = async (ctx: Needs<"scope" | "db">, id: string): Promise<Endpoint> =>
  shownEndpoint(await requireEndpoint(ctx, id));
