// Packages of the Python index for tests, in a cache folder that is named by this machine's Python.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { cachedFolder } from "./cached-folder.ts";

const run = promisify(execFile);
const DOWNLOAD_MS = 240_000;

const WHICH_PYTHON = "import platform, sys; print('py%d.%d-%s' % (*sys.version_info[:2], platform.machine()))";

/**
 * A folder for PYTHONPATH with what `requirements` (arguments of `pip install`) say; another `name` is another folder.
 * Rejects with an Error for people: `what` names the tests that need it.
 */
export async function installWheels(name: string, requirements: string[], what: string): Promise<string> {
  const { stdout } = await run("python3", ["-c", WHICH_PYTHON]).catch((error: unknown) => {
    throw new Error(`${what} need python3 with pip (Debian: apt-get install python3-pip).`, { cause: error });
  });
  const options = ["--quiet", "--no-input", "--disable-pip-version-check", "--only-binary=:all:", "--target"];
  return cachedFolder(`${name}-${stdout.trim()}`, async (work) => {
    await run("python3", ["-m", "pip", "install", ...options, work, ...requirements], { timeout: DOWNLOAD_MS }).catch(
      (error: unknown) => {
        throw new Error(
          `${what} need ${requirements.join(" ")} from the Python index; python3 -m pip could not install them.`,
          { cause: error },
        );
      },
    );
  });
}
