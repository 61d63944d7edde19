import type { Needs, OfTeam } from "../../../../clients/context.ts";
import { notFound } from "../../../../core/problem.ts";
import { reparse } from "../../definition/parse.ts";
import type { Definition } from "../../definition/definition.ts";
import { findVersion } from "../../store.ts";
import { findRun } from "../store.ts";

/** The doc as it was when the run was ordered; later changes of it are not the run's. */
export async function readRunDefinition({ scope, db }: Needs<"db"> & OfTeam, runId: string): Promise<Definition> {
  const run = await findRun(db, scope.teamId, runId);
  const version = run && (await findVersion(db, scope.teamId, run.docId, run.docVersion));
  if (!version) throw notFound("Run", runId);
  return reparse(version.text, version.media_type);
}
