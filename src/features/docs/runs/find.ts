// A run by its doc and id, or the failure that says there is none.

import { notFound } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import type { Run } from "./run.ts";
import { findRun } from "./store.ts";

/** A run of another team, or of another doc, answers exactly as one that does not exist. */
export async function requireDocRun({ scope, db }: Needs<"scope" | "db">, docId: string, id: string): Promise<Run> {
  const run = await findRun(db, scope.teamId, id);
  if (!run || run.docId !== docId) throw notFound("Run", id);
  return run;
}
