// The order of a ring's files. Vitest takes the largest first; the last worker is done sooner when it is the slowest.

import { BaseSequencer, type TestSequencerConstructor, type TestSpecification } from "vitest/node";

/** `slow`: parts of the names of slow files, the slowest first. The others keep Vitest's own order. */
export const slowFilesFirst = (slow: string[]): TestSequencerConstructor =>
  class SlowFilesFirst extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      const rank = ({ moduleId }: TestSpecification): number => {
        const index = slow.findIndex((name) => moduleId.includes(name));
        return index < 0 ? slow.length : index;
      };
      return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
    }
  };
