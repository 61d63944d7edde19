// The dependencies and parts of drafting.

import type { Needs } from "../../../clients/context.ts";
import type { DraftTable } from "../model/draft-model.ts";

export type DraftDeps = Needs<"scope" | "db" | "vault" | "tokens" | "openLake" | "openEngine">;
export type Table = DraftTable & { schema: string };
