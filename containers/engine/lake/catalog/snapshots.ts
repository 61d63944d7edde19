// The snapshot that AT means, with what the lake held then.

import { Failure } from "../../core/failure.ts";
import type { LakeDescription } from "../../../../kernel/lake/lake.ts";
import type { LakeGrant } from "../../../../kernel/wire/engine.ts";
import { PlatformRefusal } from "../../../program/platform-client.ts";
import type { Phases } from "../../core/phases.ts";
import type { TimeTravel } from "../sql/analysis.ts";
import type { CatalogClient } from "./catalog-client.ts";

/** A lake as it was: `grant` is for that snapshot. */
export type PastLake = { grant: LakeGrant; description: LakeDescription };

/**
 * Does `work` with the lake as of a snapshot. Rejects with `sql_error`, at the place of AT, where the snapshot is not
 * kept: whatever is remembered of it, the catalog is asked each time, and it may expire while `work` goes on.
 */
export async function withSnapshot<T>(
  { catalog, phases }: { catalog: CatalogClient; phases: Phases },
  { grant, travel: { at, position } }: { grant: LakeGrant; travel: TimeTravel },
  signal: AbortSignal,
  work: (past: PastLake) => Promise<T>,
): Promise<T> {
  const gone = (message: string, cause?: unknown): Failure => new Failure("sql_error", message, { position, cause });
  const isNumber = /^\d+$/.test(at);
  if (isNumber && Number(at) > grant.snapshotId)
    throw gone(`The lake has no snapshot ${at}: its newest is ${grant.snapshotId}.`);
  const expired = (cause?: unknown): Failure =>
    gone(
      isNumber
        ? `The lake has no snapshot ${at}, or it has expired.`
        : `No snapshot of the lake from before ${at} is kept.`,
      cause,
    );
  const asked = isNumber ? { snapshotId: Number(at) } : { at };
  const snapshotId = await phases.time("describe", () => catalog.findSnapshot(grant, asked, signal));
  if (snapshotId === null) throw expired();
  const past = { ...grant, snapshotId };
  try {
    const describe = (): Promise<LakeDescription> => catalog.describe(past, signal, { now: grant });
    return await work({ grant: past, description: await phases.time("describe", describe) });
  } catch (error) {
    throw isNotFound(error) ? expired(error) : error;
  }
}

const isNotFound = (error: unknown): boolean =>
  error instanceof Failure && error.cause instanceof PlatformRefusal && error.cause.status === 404;
