import type { Needs } from "../../clients/context.ts";
import { requirePublication } from "../publications/find.ts";
import { shownEndpoint, type Endpoint } from "./endpoint.ts";

export const getEndpoint = async (ctx: Needs<"scope" | "db">, id: string): Promise<Endpoint> =>
  shownEndpoint(await requirePublication(ctx, "endpoint", id));
