import { Problem } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import { recordAuditIf } from "../../platform/db/audit.ts";
import { openAddress, requireUrl, sealAddress } from "./address.ts";
import {
  auditedDestination,
  changeRow,
  EVENTS_FIELDS,
  hostOf,
  shownDestination,
  type Destination,
  type DestinationPatch,
  type DestinationRow,
} from "./destination.ts";
import { endWaiting } from "./events/disable.ts";
import { changedMeanwhile, nameTaken, requireDestination } from "./find.ts";
import { findDestination, isUpdatable, updateDestinationRow } from "./store.ts";

type Deps = Needs<"scope" | "db" | "vault" | "settings">;

/** Changes a destination; one of events is disabled or enabled so. Its secret stays. */
export async function updateDestination(ctx: Deps, id: string, patch: DestinationPatch): Promise<Destination> {
  const { scope } = ctx;
  const { name, url } = patch;
  if (url !== undefined) requireUrl(ctx, url);
  const before = await requireDestination(ctx, id);
  requireFieldsOf(before, patch);
  const address = await openAddress(ctx, before);
  const sealed = await sealAddress(ctx, before, { ...address, url: url ?? address.url });
  const change = {
    ...{ name: name ?? before.name, host: url === undefined ? before.host : hostOf(url) },
    // How the address before took events says nothing of another one.
    ...(url !== undefined && url !== address.url && { failingSince: null }),
    ...changeOfEvents(before, patch, scope.now),
  };
  const after = changeRow(before, change, { sealed, now: scope.now });
  await saveDestination(ctx, before, after, url !== undefined);
  return shownDestination(after);
}

/** Throws `resource_conflict` where another change has come in between, or the name is another's. */
async function saveDestination(
  { scope, db }: Deps,
  before: DestinationRow,
  after: DestinationRow,
  isMoved: boolean,
): Promise<void> {
  const isDisabled = after.disabledAt !== null && before.disabledAt === null;
  const [, changed] = await db.batch([
    // Before the change: after it, one that lost the race would find the row of the one that won.
    recordAuditIf(db, scope, {
      action: "destination.update",
      subjectId: before.id,
      when: isUpdatable(before, after),
      before: auditedDestination(before),
      // The path of the address may be all that changed.
      after: { ...auditedDestination(after), ...(isMoved && { url: "replaced" }) },
    }),
    updateDestinationRow(db, before, after),
    ...(isDisabled ? [endWaiting(db, after)] : []),
  ]);
  if (changed.length > 0) return;
  const current = await findDestination(db, scope.teamId, before.id);
  throw current?.revision === before.revision ? nameTaken(after.name) : changedMeanwhile();
}

/** Throws `validation_failed` for a field that only destinations of events have. */
function requireFieldsOf({ kind }: DestinationRow, patch: DestinationPatch): void {
  const flaws = EVENTS_FIELDS.filter((field) => kind !== "events" && patch[field] !== undefined).map((field) => ({
    ...{ pointer: `/${field}`, message: `A destination of kind ${kind} has no ${field}.` },
  }));
  if (flaws.length > 0) throw new Problem("validation_failed", "The destination takes no events.", flaws);
}

function changeOfEvents(before: DestinationRow, patch: DestinationPatch, now: Date): Partial<DestinationRow> {
  const { event_types: eventTypes = before.eventTypes, description = before.description, enabled } = patch;
  const named = { eventTypes, description };
  if (enabled === undefined || enabled === (before.disabledAt === null)) return named;
  return enabled
    ? { ...named, disabledAt: null, disabledCode: null, failingSince: null }
    : { ...named, disabledAt: now.toISOString(), disabledCode: "requested" };
}
