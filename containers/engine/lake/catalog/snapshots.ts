// Which snapshot AT means, and what the lake held then.

import { Failure } from "../../core/failure.ts";
import type { LakeDescription } from "../../contract/lake.ts";
import type { LakeGrant } from "../../contract/protocol.ts";
import { PlatformRefusal } from "../../../program/platform-client.ts";
import type { CatalogClient } from "./catalog-client.ts";

/** `at` is a snapshot's number or an instant. Rejects with `sql_error` where no such snapshot is kept. */
export async function snapshotOf(
  plans: CatalogClient,
  grant: LakeGrant,
  at: string,
  signal: AbortSignal,
): Promise<{ grant: LakeGrant; description: LakeDescription }> {
  const isNumber = /^\d+$/.test(at);
  const snapshotId = isNumber ? Number(at) : await plans.snapshotAt(grant, new Date(at), signal);
  if (snapshotId === null) throw gone(`No snapshot of the lake from before ${at} is kept.`);
  if (snapshotId > grant.snapshotId)
    throw gone(`The lake has no snapshot ${snapshotId}: its newest is ${grant.snapshotId}.`);
  const past = { ...grant, snapshotId };
  try {
    return { grant: past, description: await plans.describe(past, signal, { now: grant }) };
  } catch (error) {
    if (error instanceof Failure && error.cause instanceof PlatformRefusal && error.cause.status === 404)
      throw gone(`The lake has no snapshot ${snapshotId}, or it has expired.`);
    throw error;
  }
}

const gone = (message: string): Failure => new Failure("sql_error", message);
