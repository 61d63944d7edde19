// One Python of this machine runs datasets.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { Failure } from "../core/failure.ts";

const run = promisify(execFile);
const ASK_MS = 10_000;

export type Interpreter = {
  /** Absolute, no shim. */
  command: string;
  /** The folder its library and programs lie in. */
  prefix: string;
  /** The version, such as "3.11". */
  version: string;
};

const QUESTION =
  "import json, os, sys; print(json.dumps({'command': os.path.realpath(sys.executable), " +
  "'prefix': sys.base_prefix, 'version': '%d.%d' % sys.version_info[:2]}))";

/**
 * The system's own first: the uids of runs can reach it. `SANDBOX_PYTHON` names another. Rejects where there is none.
 */
export async function findPython(env: NodeJS.ProcessEnv): Promise<Interpreter> {
  const candidates = env.SANDBOX_PYTHON
    ? [env.SANDBOX_PYTHON]
    : ["/usr/bin/python3", "/usr/local/bin/python3", "python3"];
  const found: Interpreter[] = [];
  for (const candidate of candidates) {
    const interpreter = await describe(candidate);
    if (interpreter && isRecent(interpreter)) return interpreter;
    if (interpreter) found.push(interpreter);
  }
  const [any] = found;
  if (!any)
    throw new Failure(
      "internal",
      `There is no Python here (looked for ${candidates.join(", ")}); python datasets need Python 3.11 or newer.`,
    );
  return any;
}

const describe = (candidate: string): Promise<Interpreter | undefined> =>
  run(candidate, ["-I", "-c", QUESTION], { timeout: ASK_MS }).then(
    ({ stdout }) => JSON.parse(stdout) as Interpreter,
    () => undefined,
  );

export const isRecent = ({ version }: Interpreter): boolean => Number(version.split(".")[1]) >= 11;
