// The packages every dataset finds, and those a doc pins: wheels only, so that installing runs nobody's code.

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, mkdir, readFile, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { isRecent, type Interpreter } from "./interpreter.ts";

const run = promisify(execFile);
const baseFile = fileURLToPath(new URL("../requirements.txt", import.meta.url));
const BASE_MS = 300_000;
const REQUIREMENTS_MS = 120_000;
const OUTPUT_BYTES_MAX = 1024 * 1024;
const COMPLAINT_CHARACTERS_MAX = 2_000;

const NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,99}";
const EXTRAS = "\\[[A-Za-z0-9._,-]{1,100}\\]";
const VERSION = "(==|>=|<=|~=|!=|<|>) *[A-Za-z0-9.*+!_-]{1,50} *";
/** A name, extras and versions; no address, no file, no option of pip's. */
export const REQUIREMENT = new RegExp(`^${NAME}(${EXTRAS})? *(${VERSION}(, *${VERSION})*)?$`);
const REQUIREMENTS_MAX = 50;

/**
 * Pandas, pyarrow, duckdb, requests and the SDK, as pinned in requirements.txt: from the cache, or once from the index.
 * Rejects with an Error for people where they are not to be had.
 */
export async function prepareBase(python: Interpreter, cacheDirectory: string): Promise<string> {
  if (!isRecent(python))
    throw new Error(`the packages need Python 3.11 or newer, and ${python.command} is ${python.version}`);
  const text = await readFile(baseFile, "utf8");
  const directory = join(cacheDirectory, "python", `${python.version}-${digest(text)}`);
  await installOnce(python, directory, ["--require-hashes", "--requirement", baseFile], BASE_MS);
  return directory;
}

const installing = new Map<string, Promise<void>>();

/** A doc's own packages, one folder for each list. Rejects with an Error whose message is for the doc's author. */
export async function installRequirements(
  python: Interpreter,
  folder: string,
  requirements: readonly string[],
): Promise<string> {
  const wrong = requirements.find((requirement) => !REQUIREMENT.test(requirement));
  if (wrong !== undefined || requirements.length > REQUIREMENTS_MAX) {
    throw new Error(
      wrong === undefined
        ? `There may be ${REQUIREMENTS_MAX} requirements at most.`
        : `The requirement ${JSON.stringify(wrong)} is not of the form name==version; ` +
            "addresses, files and options are not taken.",
    );
  }
  const directory = join(folder, digest([...requirements].sort().join("\n")));
  let work = installing.get(directory);
  if (!work) {
    work = installOnce(python, directory, ["--", ...requirements], REQUIREMENTS_MS).finally(() =>
      installing.delete(directory),
    );
    installing.set(directory, work);
  }
  await work.catch((error: unknown) => {
    throw new Error(
      `The doc's requirements could not be installed: ${error instanceof Error ? error.message : String(error)}`,
    );
  });
  return directory;
}

/** Wheels only: nothing of a package runs when it is installed. */
const PIP_OPTIONS = [
  "--only-binary=:all:",
  "--no-input",
  "--retries=1",
  "--timeout=15",
  "--no-cache-dir",
  "--quiet",
  "--disable-pip-version-check",
  "--root-user-action=ignore",
];

/** The folder appears whole or not at all, so that two sandboxes may share a cache. */
async function installOnce(python: Interpreter, directory: string, what: string[], deadlineMs: number): Promise<void> {
  if (await exists(directory)) return;
  const scratch = `${directory}.${process.pid}.${crypto.randomUUID().slice(0, 8)}`;
  await mkdir(scratch, { recursive: true });
  await chmod(dirname(directory), 0o755);
  await chmod(scratch, 0o755);
  try {
    await pip(python, ["install", "--target", scratch, ...PIP_OPTIONS, ...what], deadlineMs);
    await rename(scratch, directory);
  } catch (error) {
    if (!(await exists(directory))) throw error;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/**
 * Runs pip in a process that can start no other. `--only-binary` is not asked where a wheel names an address as what it
 * needs.
 */
const ALONE = `
import sys
sys.path.pop(0)
refused = (
    "subprocess.Popen", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.system", "pty.spawn",
)
def refuse(event, _):
    if event in refused:
        raise PermissionError("Only wheels are installed here; nothing is built.")
sys.addaudithook(refuse)
import runpy
del sys.argv[0]
runpy.run_path(sys.argv[0], run_name="__main__")`;
/**
 * The program by which a pip works for another Python than its own. Nothing is imported from the current directory.
 */
const WHERE_IS_PIP =
  "import sys; sys.path.pop(0); import os, pip; " +
  "print(os.path.join(os.path.dirname(pip.__file__), '__pip-runner__.py'))";

/** Runs pip: the interpreter's own, or another Python's. */
async function pip(python: Interpreter, args: string[], deadlineMs: number): Promise<void> {
  const program = (await pipOf(python.command)) ?? (await pipOf("python3"));
  if (!program) throw new Error("there is no pip here");
  await run(python.command, ["-c", ALONE, program, ...args], {
    timeout: deadlineMs,
    killSignal: "SIGKILL",
    cwd: tmpdir(),
    maxBuffer: OUTPUT_BYTES_MAX,
  }).catch((error: Error & { stderr?: string; killed?: boolean }) => {
    if (error.killed) throw new Error(`pip took longer than ${deadlineMs / 1000} s`);
    const lines = (error.stderr ?? "").split("\n").filter((line) => /^ERROR|error:/i.test(line));
    throw new Error((lines.join(" ") || error.stderr || error.message).slice(0, COMPLAINT_CHARACTERS_MAX));
  });
}

const pipOf = (command: string): Promise<string | undefined> =>
  run(command, ["-c", WHERE_IS_PIP], { timeout: 20_000, cwd: tmpdir() }).then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  );

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
const digest = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);
