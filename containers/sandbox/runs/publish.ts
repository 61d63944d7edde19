// The end of a run that builds tables: what was staged is published if every dataset has succeeded, and else is not.

import type { DatasetReport, RunDataset } from "../../../kernel/wire/sandbox.ts";
import type { RunContext } from "./run-context.ts";
import { withCode } from "./stage.ts";

const ERROR_CHARACTERS_MAX = 16_384;
/** Beside the time for publishing: for a cold engine, and for an earlier call that is still at work. */
const SLACK_MS = 120_000;

/** Publishes, and writes into the reports of the staged datasets what became of them. Never rejects. */
export async function publish(run: RunContext, reports: readonly DatasetReport[]): Promise<void> {
  const { publishMs, datasets } = run.order;
  if (publishMs === undefined) return;
  const staged = reports.filter(({ key }) => isStaged(datasets.find((dataset) => dataset.key === key)!));
  const broken = reports.find(({ success }) => !success);
  if (broken) return giveUp(staged, `${broken.key} has not succeeded.`);
  try {
    const wait = { waitMs: publishMs + SLACK_MS, signal: run.signal };
    const { isPublished, failures } = await run.platform.publish(wait);
    if (isPublished) return;
    for (const { key, error } of failures) {
      const report = staged.find((each) => each.key === key);
      if (report)
        Object.assign(report, { success: false, error: short(error), errorCode: "tests_failed", result: null });
    }
    giveUp(staged, `tests of ${failures.map(({ key }) => key).join(", ")} fail.`);
  } catch (error) {
    giveUp(staged, error instanceof Error ? error.message : String(error));
    for (const report of staged) withCode(error, report);
  }
}

export const isStaged = (dataset: RunDataset): boolean => dataset.engine === "staged" || dataset.isStaged === true;

/** The tables of the run stay as they were. */
function giveUp(staged: readonly DatasetReport[], why: string): void {
  for (const report of staged) {
    if (!report.success) continue;
    const error = short(`The rows are not published: ${why}`);
    Object.assign(report, { success: false, error, errorCode: "not_published", result: null });
  }
}

const short = (text: string): string => text.slice(0, ERROR_CHARACTERS_MAX);
