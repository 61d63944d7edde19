// A destination of events remembers since when it fails, and is disabled when it does so for days or wants no more.

import type { Needs } from "../../../clients/context.ts";
import type { Sent } from "../../../core/messages.ts";
import type { Db } from "../../../platform/db/client.ts";
import { endWaitingStatement } from "../../messages/lane/end-waiting.ts";
import type { DestinationRow } from "../destination.ts";
import { DESTINATION_LIMITS } from "../limits.ts";
import { disableDestination, isDeletedInSql, isDisabledInSql, setFailingSince } from "../store.ts";

/** Why an event does not go to a disabled destination, for people. */
export const DISABLED_REASONS: Record<NonNullable<DestinationRow["disabledCode"]>, string> = {
  requested: "The destination is disabled.",
  gone: "The destination's host answered 410 and wants nothing more, so it is disabled.",
  failing: "The destination is disabled: no event arrived there for days.",
};

const GONE = 410;

/** Records what an attempt says of its destination. One that takes every event costs no write. */
export async function noteOutcome({ db }: Needs<"db">, row: DestinationRow, sent: Sent, now: Date): Promise<void> {
  if (sent.kind === "sent") {
    if (row.failingSince !== null) await setFailingSince(db, row, null);
    return;
  }
  if (sent.answer?.status === GONE) return disable(db, row, "gone", now);
  const failingMs = row.failingSince === null ? 0 : now.getTime() - Date.parse(row.failingSince);
  if (failingMs >= DESTINATION_LIMITS.failingMsMax) return disable(db, row, "failing", now);
  if (row.failingSince === null) await setFailingSince(db, row, now.toISOString());
}

async function disable(db: Db, row: DestinationRow, code: "gone" | "failing", now: Date): Promise<void> {
  const disabledAt = now.toISOString();
  await db.batch([
    disableDestination(db, row, { disabledAt, disabledCode: code }),
    endWaiting(db, { ...row, disabledAt, disabledCode: code }),
  ]);
}

/** A statement for the batch that deletes a destination, behind it: what waits to go there has failed. */
export const endWaitingForNobody = (db: Db, row: DestinationRow, now: Date) =>
  endWaitingStatement(
    db,
    { teamId: row.teamId, target: row.id },
    { error: "The destination was deleted.", at: now.toISOString(), isOver: isDeletedInSql(row) },
  );

/** A statement for the batch that disables a destination, behind it: what waits to go there has failed. */
export const endWaiting = (db: Db, row: DestinationRow) =>
  endWaitingStatement(
    db,
    { teamId: row.teamId, target: row.id },
    {
      error: DISABLED_REASONS[row.disabledCode ?? "requested"],
      at: row.disabledAt ?? row.updatedAt,
      isOver: isDisabledInSql(row),
    },
  );
