import type { Needs } from "../../clients/context.ts";
import { isUuid } from "../../core/ids.ts";
import { selectFramingOrigins } from "./store.ts";

/** The origins whose pages may frame the published dashboard of this address; none where there is no such one. */
export const findFramingOrigins = async ({ db }: Needs<"db">, teamId: string, name: string): Promise<string[]> =>
  isUuid(teamId) ? selectFramingOrigins(db, teamId.toLowerCase(), name) : [];
