// A reporter for vitest: reports to the test runner, over their channel, how far a ring is.

import type { Reporter, TestModule, TestSpecification } from "vitest/node";

/** `ended` is the file that has just ended. */
export type Progress = {
  filesDone: number;
  filesTotal: number;
  passed: number;
  failed: number;
  ended?: { file: string; failed: boolean };
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
    this.#send({ ...this.#progress, ended: { file: module.relativeModuleId, failed: isBroken } });
  }

  #send(progress: Progress): void {
    process.send?.({ progress });
  }
}
