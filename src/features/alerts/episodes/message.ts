// The message about a verdict. Pure.

import { ALERT_LIMITS } from "../limits.ts";
import type { AlertEvent } from "./event.ts";
import type { Episode } from "./judge.ts";
import type { AlertedChange, Subject } from "./subject.ts";

export function messageOf(
  subject: Subject,
  { id, cause, since }: Pick<Episode, "id" | "cause" | "since">,
  { what, now }: { what: AlertedChange; now: Date },
): AlertEvent {
  const { success, failure, overdueBy } = subject;
  const run = { recovered: success, warned: success, failed: failure, stale: null }[what];
  const error = what === "failed" ? (failure?.error ?? null) : null;
  return subject.eventOf(what, now.toISOString(), {
    episode_id: id,
    cause,
    since,
    last_success_at: success?.endedAt ?? null,
    due_by: what === "stale" ? (overdueBy?.toISOString() ?? null) : null,
    run_id: run?.id ?? null,
    error: error && shorten(error),
    path: subject.pathOf(run?.id ?? null),
  });
}

const shorten = (text: string): string =>
  text.length > ALERT_LIMITS.alertErrorCharactersMax
    ? `${text.slice(0, ALERT_LIMITS.alertErrorCharactersMax - 1)}…`
    : text;
