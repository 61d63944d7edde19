import type { Needs } from "../../clients/context.ts";
import { recordAuditIf } from "../../platform/db/audit.ts";
import { openAddress, requireUrl, sealAddress } from "./address.ts";
import {
  auditedDestination,
  changeRow,
  hostOf,
  shownDestination,
  type Destination,
  type DestinationPatch,
  type DestinationRow,
} from "./destination.ts";
import { changedMeanwhile, nameTaken, requireDestination } from "./find.ts";
import { findDestination, isUpdatable, updateDestinationRow } from "./store.ts";

type Deps = Needs<"scope" | "db" | "vault" | "settings">;

/** Renames a destination, or moves it to another address. Its secret stays. */
export async function updateDestination(ctx: Deps, id: string, { name, url }: DestinationPatch): Promise<Destination> {
  const { scope } = ctx;
  if (url !== undefined) requireUrl(ctx, url);
  const before = await requireDestination(ctx, id);
  const address = await openAddress(ctx, before);
  const sealed = await sealAddress(ctx, before, { ...address, url: url ?? address.url });
  const change = { name: name ?? before.name, host: url === undefined ? before.host : hostOf(url) };
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
  ]);
  if (changed.length > 0) return;
  const current = await findDestination(db, scope.teamId, before.id);
  throw current?.revision === before.revision ? nameTaken(after.name) : changedMeanwhile();
}
