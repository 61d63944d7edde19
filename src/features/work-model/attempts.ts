// The attempts of a run of any kind, for whoever shows them or has to know whose work something is.

import type { Page, PageOf } from "../../core/page.ts";
import type { Needs } from "../../clients/context.ts";
import type { RunName } from "./run.ts";
import { findAttemptRow, selectAttempts, type Attempt } from "./store.ts";

export type { Attempt };

/** Newest first, unless asked otherwise. */
export const listAttempts = (
  { db }: Needs<"db">,
  run: RunName,
  { ascending = false, ...page }: Page & { ascending?: boolean },
): Promise<PageOf<Attempt>> => selectAttempts(db, run, { ...page, ascending });

export const findAttempt = (
  { db }: Needs<"db">,
  { teamId, id }: RunName,
  attempt: number,
): Promise<Attempt | undefined> => findAttemptRow(db, teamId, { runId: id, attempt });

/** By what works, or has worked, on it: an engine's job, or a doc's run. */
export const findAttemptOfJob = ({ db }: Needs<"db">, teamId: string, workId: string): Promise<Attempt | undefined> =>
  findAttemptRow(db, teamId, { workId });
