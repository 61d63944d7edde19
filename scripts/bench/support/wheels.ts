// Programs and libraries of PyPI that figures are held against, in a folder of the bench's own.

import { join } from "node:path";
import { runProgram } from "./program.ts";

const FETCH_MS = 600_000;

/** Answers the folder, which is a `PYTHONPATH`; programs lie in its `bin`. Rejects where they can't be had. */
export async function fetchWheels(folder: string, wheels: readonly string[]): Promise<string> {
  const target = join(folder, "wheels");
  const pip = ["-m", "pip", "install", "--quiet", "--only-binary=:all:", "--target", target, ...wheels];
  await runProgram("python3", pip, {}, FETCH_MS);
  return target;
}
