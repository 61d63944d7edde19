import { z } from "@hono/zod-openapi";
import type { RunLog } from "../../../../kernel/wire/sandbox.ts";
import type { Page, PageOf } from "../../../core/page.ts";
import type { Needs } from "../../../clients/context.ts";
import type { LogLevel, LogLine } from "../../../platform/logs/log-lines.ts";
import { requireExecution } from "./get.ts";
import { requireRunReader } from "./read-output.ts";

const STREAMS = ["stdout", "stderr", "system"] as const;
type Stream = (typeof STREAMS)[number];

export const ExecutionLogLine = z
  .object({
    offset: z.number().int().openapi({ description: "Counts the execution's lines from 0." }),
    at: z.iso.datetime(),
    stream: z.enum(STREAMS).openapi({ description: "`system` is what the sandbox itself says of it." }),
    message: z.string(),
  })
  .openapi("ExecutionLogLine");
export type ExecutionLogLine = z.infer<typeof ExecutionLogLine>;

/** The log knows levels, one for each stream. */
const LEVELS: Record<Stream, LogLevel> = { stdout: "info", stderr: "warning", system: "error" };
const streamOf = (level: LogLevel): Stream => STREAMS.find((stream) => LEVELS[stream] === level)!;

/** A page of what a dataset has printed, oldest first, while it runs and after. */
export async function listExecutionLogs(
  ctx: Needs<"scope" | "db" | "openLog">,
  id: string,
  page: Page,
): Promise<PageOf<ExecutionLogLine>> {
  const { execution, run } = await requireExecution(ctx, id);
  await requireRunReader(ctx, run);
  const { lines, total } = await ctx.openLog(run.teamId).read(execution.id, page.offset, page.limit);
  return {
    items: lines.map(({ offset, at, level, message }) => ({ offset, at, stream: streamOf(level), message })),
    total,
    ...page,
  };
}

/** Who else speaks in a run's log. What a dataset of such a key prints is not for everybody who may read theirs. */
const TAKEN: readonly string[] = ["platform", "engine"];
const sourceOf = (datasetKey: string): string => (TAKEN.includes(datasetKey) ? `dataset ${datasetKey}` : datasetKey);

/** The sandbox's lines as the log takes them; a dataset runs once. */
export const toLogLines = ({ lines }: z.infer<typeof RunLog>, datasetKey: string): LogLine[] =>
  lines.map(({ at, stream, text }) => ({
    level: LEVELS[stream],
    message: text,
    attempt: 1,
    source: sourceOf(datasetKey),
    atMs: Date.parse(at),
  }));
