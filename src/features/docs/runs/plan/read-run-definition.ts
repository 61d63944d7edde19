import type { Dashboard } from "../../../../../kernel/docs/dashboard.ts";
import type { Needs, OfTeam } from "../../../../clients/context.ts";
import { notFound } from "../../../../core/problem.ts";
import { inspectDefinition, reparse } from "../../definition/parse.ts";
import type { Definition } from "../../definition/definition.ts";
import type { DocVersionDetail } from "../../doc.ts";
import { findVersion } from "../../store.ts";
import { findRun } from "../store.ts";

/** The doc as it was when the run was ordered; later changes of it are not the run's. */
export async function readRunDefinition(ctx: Needs<"db"> & OfTeam, runId: string): Promise<Definition> {
  const { text, media_type: mediaType } = await findRunVersion(ctx, runId);
  return reparse(text, mediaType);
}

/** What that version draws, with notes for what is not drawn; undefined where nothing of it is understood. */
export async function readRunDashboard(ctx: Needs<"db"> & OfTeam, runId: string): Promise<Dashboard | undefined> {
  const { text, media_type: mediaType } = await findRunVersion(ctx, runId);
  return inspectDefinition(text, mediaType).dashboard;
}

async function findRunVersion({ scope, db }: Needs<"db"> & OfTeam, runId: string): Promise<DocVersionDetail> {
  const run = await findRun(db, scope.teamId, runId);
  const version = run && (await findVersion(db, scope.teamId, run.docId, run.docVersion));
  if (!version) throw notFound("Run", runId);
  return version;
}
