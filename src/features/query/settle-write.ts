// What became of a statement that may have written, where it was not answered well: its engine may have died after the
// commit. The lake's catalog knows commits by the statement's id.

import { Problem, PROBLEMS, isProblem } from "../../core/problem.ts";
import { LIMITS } from "../../core/limits.ts";
import { waitFor } from "../../platform/container/wait-for.ts";
import type { Needs } from "../../platform/context.ts";
import { statementKey } from "../../platform/lake/writers/statements.ts";

/** One sending of a statement with permission to write. */
export type SentWrite = { lakeId: string; statementId: string; jobId: string };

/** A catalog that is moved meanwhile answers the second time. */
const TRIES = 2;

/**
 * Ends the sending, so that it writes nothing from here on and holds its table no longer, and answers the Problem to
 * fail with: that the statement is written, or `problem`, which then says that nothing was. Throws
 * `write_outcome_unknown` where the catalog can't be asked and `problem` may stand for a commit.
 */
export async function settleWrite(
  { openLake }: Needs<"openLake">,
  write: SentWrite | null,
  problem: Problem,
): Promise<Problem> {
  if (!write) return problem;
  const { lakeId, statementId, jobId } = write;
  const end = () =>
    waitFor(openLake(lakeId).endStatement({ key: statementKey(statementId), jobId }), {
      deadlineMs: LIMITS.settleWriteMs,
    });
  let cause: unknown;
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      const snapshotId = await end();
      return snapshotId === null ? unwritten(problem) : written(statementId, snapshotId);
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

/** What any failure is to whoever waits for a statement. */
export const toStatementProblem = (error: unknown): Problem =>
  isProblem(error) ? error : new Problem("internal_error", "unexpected", [], { cause: error });

const written = (statementId: string, snapshotId: number): Problem =>
  new Problem(
    "write_committed",
    `The request of the X-Request-Id ${statementId} wrote snapshot ${snapshotId}. Send another id to do it again.`,
  );

/** Whether somebody failed on the way, as opposed to an answer that the statement is refused or wrong. */
function mayBeWritten({ code }: Problem): boolean {
  const { status } = PROBLEMS[code];
  return status >= 500 || code === "query_timeout" || code === "query_cancelled";
}

function unwritten(problem: Problem): Problem {
  if (!mayBeWritten(problem)) return problem;
  const { code, message, flaws, retryAfterSeconds } = problem;
  const said = new Problem(code, `${message} Nothing of it was written.`, flaws, { cause: problem.cause ?? problem });
  if (retryAfterSeconds !== undefined) said.retryAfterSeconds = retryAfterSeconds;
  return said;
}
