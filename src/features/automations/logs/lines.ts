import type { LogLevel, LogQuery } from "../../../platform/logs/log-lines.ts";
import type { OutputDeps } from "../../docs/executions/read-output.ts";
import { mayReadOutput } from "./read-output.ts";
import type { Run } from "../runs/run.ts";

/**
 * The log entries of a run that a caller may read. A caller who may not read its output gets the platform's entries
 * without warnings and errors, which say why something was done.
 */
export const linesFor = async (ctx: OutputDeps, run: Run): Promise<Pick<LogQuery, "sources" | "levels">> =>
  (await mayReadOutput(ctx, run)) ? {} : { sources: ["platform"], levels: ["info"] };

/** The requested levels that may be read; without a list all of them. */
export const commonLevels = (
  asked: readonly LogLevel[] | undefined,
  allowed: readonly LogLevel[] | undefined,
): LogLevel[] | undefined => {
  if (asked === undefined || allowed === undefined) return (asked ?? allowed)?.slice();
  return asked.filter((level) => allowed.includes(level));
};
