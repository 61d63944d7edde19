// What drafting takes, and what it is made of.

import type { Needs } from "../../../platform/context.ts";
import type { DraftTable } from "../model/draft-model.ts";

export type DraftDeps = Needs<"scope" | "db" | "vault" | "tokens" | "openLake" | "openEngine">;
export type Table = DraftTable & { schema: string };
