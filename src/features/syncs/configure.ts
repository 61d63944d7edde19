import { sql } from "drizzle-orm";
import { SYNC_LIMITS } from "./limits.ts";
import { INTEGRATION_LIMITS } from "../integrations/limits.ts";
import { type Flaw, invalidAt, Problem } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import { recordAuditIf } from "../../platform/db/audit.ts";
import { flawOfSchemaName } from "../../lake/format/names.ts";
import { getIntegration, getLake } from "../integrations/get.ts";
import type { Integration } from "../integrations/integration.ts";
import { isSource, openSource } from "../integrations/open-source.ts";
import { changedMeanwhile, requireVersion } from "./find.ts";
import { chooseCursors, type CursorChoice } from "./tables/choose-cursors.ts";
import { expandTables, type Expansion } from "./tables/expand.ts";
import { claimForSync, forgetPlanned, keepOnly } from "./tables/own.ts";
import type { RunName } from "../work-model/run.ts";
import { planRun } from "./runs/run.ts";
import { startRun } from "./runs/start.ts";
import {
  activateSync,
  countSyncs,
  findSyncAt,
  hasSyncVersion,
  insertSync,
  isActivatable,
  plannedOf,
  updateSyncRow,
} from "./store.ts";
import { cancelRunsOf, insertOnlyRun } from "./runs/store.ts";
import { auditedSync, configOf, planSync, type NewSync, type Sync, type SyncConfig } from "./sync.ts";
import { flawsOfTimetable } from "./timetable.ts";

export type Configured = { sync_config: SyncConfig; run_id: string; notes: string[] };
type Deps = Needs<"scope" | "db" | "vault" | "wakeUps" | "openEngine" | "openLake">;

/**
 * Sets what is copied from a database into a schema of a lake, instead of what was set for them before, and starts its
 * first run. Nothing is stored unless every table is there and free to be written. `expected` is the version the caller
 * has seen: another one, or none, is `precondition_failed`.
 */
export async function configureSync(
  ctx: Deps,
  integrationId: string,
  { input, expected }: { input: NewSync; expected: number | undefined },
): Promise<Configured> {
  const { scope, db, wakeUps } = ctx;
  const integration = await getIntegration(ctx, integrationId);
  const lake = await requireLake(ctx, input);
  refuse([...flawsOfForm(integration, input), ...flawsOfTimetable(input, scope.now)]);

  const { tables, choice, leftOut } = await lookUp(ctx, integration, input);
  const { load_method: loadMethod, append_full_rows: appendFullRows } = input;
  const config = { tables: input.tables, loadMethod, cursors: choice.cursors, appendFullRows };
  const wanted = {
    teamId: scope.teamId,
    sourceId: integration.id,
    lakeId: lake.id,
    destSchema: input.dest_schema,
    schedule: input.schedule,
    cron: input.cron ?? null,
    timezone: input.timezone ?? null,
    config,
  };

  const before = await findSyncAt(db, scope.teamId, wanted);
  requireVersion(before, expected);
  if (!before && (await countSyncs(db, scope.teamId)) >= SYNC_LIMITS.perTeamMax) {
    throw new Problem(
      "business_quota_exceeded",
      `A team may have ${SYNC_LIMITS.perTeamMax} syncs. Delete one that is no longer used.`,
    );
  }
  const sync = planSync({ ...wanted, destSchema: before?.destSchema ?? input.dest_schema }, before, scope.now);
  if (!before) await insertSync(db, plannedOf(sync));
  let run: RunName | undefined;
  try {
    await claimForSync(ctx, sync, tables);
    run = await store(ctx, { before, sync, expected });
  } catch (error) {
    if (!before) await forgetPlanned(ctx, sync);
    throw error;
  }
  if (before) await keepOnly(ctx, sync, tables);
  if (run) await wakeUps.send("sync_run", run);
  const { id } = run ?? (await startRun(ctx, sync, FIRST_RUN));
  return {
    sync_config: configOf(
      sync,
      tables.map(({ path }) => path),
    ),
    run_id: id,
    notes: [...choice.notes, ...leftOut.map(({ reason }) => reason)],
  };
}

async function requireLake(ctx: Deps, { dest_integration_id: id }: NewSync): Promise<Integration> {
  if (id == null) return getLake(ctx);
  const lake = await getIntegration(ctx, id);
  if (lake.type === "lake") return lake;
  const message = `Integration ${id} is no lake; a sync writes to a lake.`;
  throw invalidAt("/dest_integration_id", message);
}

function flawsOfForm(integration: Integration, { dest_schema: schema }: NewSync): Flaw[] {
  const flaw = flawOfSchemaName(schema);
  return [
    ...(isSource(integration)
      ? []
      : [
          {
            pointer: "/path/integration_id",
            message: `An integration of type ${integration.type} can't be synced from.`,
          },
        ]),
    ...(flaw === undefined ? [] : [{ pointer: "/dest_schema", message: flaw }]),
  ];
}

/** Asks the source what it has. Throws every flaw of the tables and cursors at once. */
async function lookUp(
  ctx: Deps,
  integration: Integration,
  input: NewSync,
): Promise<Pick<Expansion, "tables" | "leftOut"> & { choice: CursorChoice }> {
  if (!isSource(integration)) throw new Error(`Integration ${integration.id} is no source.`);
  const source = await openSource(ctx, integration);
  const found = await ctx
    .openEngine(ctx.scope.teamId)
    .introspect({ source, deadlineMs: INTEGRATION_LIMITS.introspectMs });
  const { tables, flaws, leftOut } = expandTables(input.tables, found);
  refuse(flaws);
  const choice = chooseCursors(tables, {
    source: integration.type,
    folding: found.folding,
    loadMethod: input.load_method,
    cursors: input.cursors ?? {},
    appendFullRows: input.append_full_rows,
  });
  refuse(choice.flaws);
  return { tables, choice, leftOut };
}

const NAMED_MAX = 20;

/** The message names what is wrong, for those who read no further. */
function refuse(flaws: Flaw[]): void {
  if (flaws.length === 0) return;
  const named = flaws.slice(0, NAMED_MAX).map(({ message }) => message);
  const more = flaws.length > named.length ? ` And ${flaws.length - named.length} more.` : "";
  throw new Problem("validation_failed", named.join(" ") + more, flaws);
}

const FIRST_RUN = { cause: "configuration", isFull: false, onlyTables: null } as const;

/**
 * A run under way goes on where the configuration stays the same. Otherwise it is cancelled, and its successor recorded
 * with the configuration. Answers the run that was recorded, if one was.
 */
async function store(
  { scope, db, wakeUps }: Deps,
  { before, sync, expected }: { before: Sync | undefined; sync: Sync; expected: number | undefined },
): Promise<RunName | undefined> {
  const at = scope.now.toISOString();
  const isSame = before && JSON.stringify(before.config) === JSON.stringify(sync.config);
  const isCurrent = before ? hasSyncVersion(before) : isActivatable(plannedOf(sync));
  const run = planRun(sync, { ...FIRST_RUN, scheduledFor: null }, scope.now);
  const [, cancelled, recorded, stored] = await db.batch([
    recordAuditIf(db, scope, {
      action: "sync.configure",
      subjectId: sync.id,
      when: isCurrent,
      before: before && auditedSync(before),
      after: auditedSync(sync),
    }),
    cancelRunsOf(db, sync, {
      ...{ at, code: "sync_configured", reason: "The sync was configured anew." },
      happened: isSame ? sql`false` : isCurrent,
    }),
    insertOnlyRun(db, run, isCurrent),
    before ? updateSyncRow(db, before, sync) : activateSync(db, sync, plannedOf(sync)),
  ]);
  if (stored.length === 0) throw changedMeanwhile(expected);
  await wakeUps.sendAll(
    "sync_run",
    cancelled.map(({ id }) => ({ teamId: scope.teamId, id })),
  );
  return recorded.length > 0 ? run : undefined;
}
