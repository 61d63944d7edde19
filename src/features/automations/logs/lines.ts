import type { LogLevel, LogQuery } from "../../../platform/logs/log-lines.ts";
import type { OutputDeps } from "../../docs/executions/read-output.ts";
import { mayReadOutput } from "./read-output.ts";
import type { Run } from "../runs/run.ts";

/**
 * Which lines of a run somebody may read. To whom its output is not, the platform says what it does, and not why: that
 * is in its warnings and errors.
 */
export const linesFor = async (ctx: OutputDeps, run: Run): Promise<Pick<LogQuery, "sources" | "levels">> =>
  (await mayReadOutput(ctx, run)) ? {} : { sources: ["platform"], levels: ["info"] };

/** Of the levels that are asked for those that may be read; without a list all. */
export const commonLevels = (
  asked: readonly LogLevel[] | undefined,
  allowed: readonly LogLevel[] | undefined,
): LogLevel[] | undefined => {
  if (asked === undefined || allowed === undefined) return (asked ?? allowed)?.slice();
  return asked.filter((level) => allowed.includes(level));
};
