// A look at a run's attempt before it is due, because somebody asks for it.

import type { Needs } from "../../clients/context.ts";
import type { AuditAction } from "../../platform/db/audit-actions.ts";
import { recordAuditIf, type AuditScope } from "../../platform/db/audit.ts";
import type { WorkDeps, WorkKind } from "./kind.ts";
import type { Move } from "./next-state.ts";
import type { WorkRun } from "./run.ts";
import { stepRun } from "./step-run.ts";
import { isWatchedLater, makeDue } from "./store.ts";

type AuditedAs = { scope: AuditScope; action: AuditAction };

/** Takes the run's next step now, by the rules and claims of every step: beside another at it nothing is done. */
export async function stepNow<Run extends WorkRun, Deps extends WorkDeps & Needs<"db">, Progress>(
  kind: WorkKind<Run, Deps, Progress>,
  deps: Deps,
  run: Run,
  { scope, action }: AuditedAs,
): Promise<Move> {
  const at = scope.now.toISOString();
  const { table } = kind.runs;
  await deps.db.batch([
    recordAuditIf(deps.db, scope, { action, subjectId: run.id, when: isWatchedLater(table, run, at) }),
    makeDue(deps.db, table, run, at),
  ]);
  return stepRun(kind, deps, run);
}
