// A reporter for vitest: reports to the test runner, over their channel, how far a ring is.

import type { Reporter, TestCase, TestModule, TestSpecification } from "vitest/node";

const REASON_CHARACTERS_MAX = 1_000;

/** `ended` is the file that has just ended; `firstFailure` says which of its tests failed first, and why. */
export type Progress = {
  filesDone: number;
  filesTotal: number;
  passed: number;
  failed: number;
  ended?: { file: string; failed: boolean; firstFailure?: string };
};

export default class ProgressReporter implements Reporter {
  #progress: Progress = { filesDone: 0, filesTotal: 0, passed: 0, failed: 0 };

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#progress.filesTotal = specifications.length;
    this.#send(this.#progress);
  }

  onTestModuleEnd(module: TestModule): void {
    const tests = [...module.children.allTests()];
    const passed = tests.filter((test) => test.result().state === "passed").length;
    const isBroken = module.state() === "failed" || passed < tests.length;
    this.#progress.filesDone += 1;
    this.#progress.passed += passed;
    this.#progress.failed += Math.max(tests.length - passed, isBroken ? 1 : 0);
    const firstFailure = isBroken ? describeFirstFailure(module, tests) : undefined;
    this.#send({
      ...this.#progress,
      ended: { file: module.relativeModuleId, failed: isBroken, ...(firstFailure && { firstFailure }) },
    });
  }

  #send(progress: Progress): void {
    process.send?.({ progress });
  }
}

function describeFirstFailure(module: TestModule, tests: readonly TestCase[]): string | undefined {
  const test = tests.find((one) => one.result().state === "failed");
  const reason = (test ? test.result().errors : module.errors())?.[0]?.message;
  return reason === undefined
    ? test?.fullName
    : `${test?.fullName ?? "the file"}: ${reason.slice(0, REASON_CHARACTERS_MAX)}`;
}
