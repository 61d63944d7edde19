// The order of a ring's files. Vitest takes the largest first; the last worker is done sooner when it is the slowest.

import { readdirSync } from "node:fs";
import { BaseSequencer, type TestSequencerConstructor, type TestSpecification } from "vitest/node";

/**
 * `slow`: parts of the names of slow files, the slowest first. The others keep Vitest's own order. Throws where a part
 * is in no name of a file in `folder`, which happens when files are moved.
 */
export function slowFilesFirst(folder: string, slow: readonly string[]): TestSequencerConstructor {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".test.ts"));
  const unknown = slow.filter((part) => !names.some((name) => name.includes(part)));
  if (unknown.length > 0) throw new Error(`${folder} has none of these slow files: ${unknown.join(", ")}`);
  return class SlowFilesFirst extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      const rank = ({ moduleId }: TestSpecification): number => {
        const index = slow.findIndex((part) => moduleId.includes(part));
        return index < 0 ? slow.length : index;
      };
      return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
    }
  };
}
