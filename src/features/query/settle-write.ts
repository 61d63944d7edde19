// Settles a statement that was sent with permission to write and got no good answer: its engine may have died after the
// commit. Whether the statement writes at all the engine alone knows, which may not have lived to say so. The lake's
// catalog knows commits by the statement's id.

import { Problem, PROBLEMS, isProblem } from "../../core/problem.ts";
import { QUERY_LIMITS } from "./limits.ts";
import { waitFor } from "../../platform/container/wait-for.ts";
import type { Needs } from "../../clients/context.ts";
import { statementKey, type StatementEnd } from "../../lake/commit/statements.ts";

/** One sending of a statement with permission to write. */
export type SentWrite = { lakeId: string; statementId: string; jobId: string };

/** A catalog that is moved meanwhile answers the second time. */
const TRIES = 2;

/**
 * Ends the sending, so that it writes nothing from here on and holds its table no longer, and answers the Problem to
 * fail with: that the statement is written, that another sending of it may write it yet, or `problem`, which then says
 * that nothing was written. Throws `write_outcome_unknown` where the catalog can't be asked and `problem` may stand for
 * a commit.
 */
export async function settleWrite(
  { openLake }: Needs<"openLake">,
  write: SentWrite | null,
  problem: Problem,
): Promise<Problem> {
  // The engine took no sending while another ran, which may write yet: none is to be ended.
  if (!write || problem.isRead || problem.code === "work_in_progress") return problem;
  const { lakeId, statementId, jobId } = write;
  const end = () =>
    waitFor<StatementEnd>(openLake(lakeId).endStatement({ key: statementKey(statementId), jobId }), {
      deadlineMs: QUERY_LIMITS.settleWriteMs,
    });
  let cause: unknown;
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      return problemAfter(await end(), statementId, problem);
    } catch (error) {
      cause = error;
    }
  }
  if (!mayBeWritten(problem)) return problem;
  throw new Problem(
    "write_outcome_unknown",
    `Whether the statement was written is not known. Send it again with the X-Request-Id ${statementId}: it is ` +
      "written once, however often it is sent.",
    [],
    { cause },
  );
}

/**
 * {@link settleWrite} for a caller who waits. A plain refusal waits for the catalog only where an earlier sending of
 * the request may have been written, and then not long: what it says stands without the catalog.
 */
export async function settleFor(settling: Promise<Problem>, problem: Problem, mayBeRepeat: boolean): Promise<Problem> {
  // A conflict is mostly the catalog's own answer.
  if (mayBeWritten(problem) || problem.code === "resource_conflict") return settling;
  if (!mayBeRepeat) return problem;
  return waitFor(settling, { deadlineMs: QUERY_LIMITS.settleRefusedMs }).catch(() => problem);
}

/** The problem that the statement's caller gets for any failure. */
export const toStatementProblem = (error: unknown): Problem =>
  isProblem(error) ? error : new Problem("internal_error", "unexpected", [], { cause: error });

function problemAfter(end: StatementEnd, statementId: string, problem: Problem): Problem {
  const request = `The request of the X-Request-Id ${statementId}`;
  if (typeof end === "number")
    return new Problem("write_committed", `${request} wrote snapshot ${end}. Send another id to do it again.`);
  if (!mayBeWritten(problem)) return problem;
  if (end === "unwritten") return unwritten(problem);
  const message = `${request} was sent before, and may write yet. Send it again under its id.`;
  return new Problem("work_in_progress", message, [], { cause: problem });
}

/** Whether somebody failed on the way, as opposed to an answer that the statement is refused or wrong. */
function mayBeWritten({ code }: Problem): boolean {
  const { status } = PROBLEMS[code];
  return status >= 500 || code === "query_timeout" || code === "query_cancelled";
}

function unwritten(problem: Problem): Problem {
  const { code, message, flaws, retryAfterSeconds } = problem;
  const said = new Problem(code, `${message} Nothing of it was written.`, flaws, { cause: problem.cause ?? problem });
  if (retryAfterSeconds !== undefined) said.retryAfterSeconds = retryAfterSeconds;
  return said;
}
