// A long step prints its progress while it runs: whole lines without control codes, for terminals and for CI's logs
// alike.

import { stripVTControlCharacters } from "node:util";
import type { Progress } from "./progress-reporter.ts";

const INTERVAL_MS = 15_000;

export type ProgressLines = {
  /** Takes what a ring's reporter sends; other messages are none of ours. */
  receive(message: unknown): void;
  stop(): void;
};

/** Prints a line every 15 seconds, and one for each file that fails. */
export function printProgress(print: (line: string) => void = console.log, everyMs = INTERVAL_MS): ProgressLines {
  const startedAt = performance.now();
  let known: Progress | undefined;
  const elapsed = () => `${Math.round((performance.now() - startedAt) / 1_000)} s`;
  const timer = setInterval(() => print(`  ${known ? describe(known) : "running"}, ${elapsed()}`), everyMs);
  return {
    receive(message) {
      const { progress } = (message ?? {}) as { progress?: Progress };
      if (!progress) return;
      known = progress;
      if (!progress.ended?.failed) return;
      print(`  FAILED ${progress.ended.file}; ${describe(progress)}, ${elapsed()}`);
      // A log that is cut before the summary at its end says the reason all the same.
      for (const line of stripVTControlCharacters(progress.ended.firstFailure ?? "").split("\n"))
        if (line) print(`    ${line}`);
    },
    stop: () => clearInterval(timer),
  };
}

const describe = ({ filesDone, filesTotal, passed, failed }: Progress): string =>
  `${filesDone} of ${filesTotal} files, ${passed} passed, ${failed} failed`;
