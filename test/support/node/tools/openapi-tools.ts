// The programs that others hold an OpenAPI document against, and make clients of it with.

import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { digestOf, installPackages } from "./npm-packages.ts";
import { installWheels } from "./python-wheels.ts";

const run = promisify(execFile);
const source = fileURLToPath(new URL("openapi-tools", import.meta.url));
const RUN_MS = 120_000;

/** Both kinds, side by side; the first time on a machine they come from npm and from the Python index. */
export async function openapiTools(): Promise<{ node: string; python: string }> {
  const [node, python] = await Promise.all([installNode(), installPython()]);
  return { node, python };
}

const installNode = (): Promise<string> =>
  installPackages(join("openapi-tools", "node"), source, ["check.mjs", "client-types.mjs"]);

const installPython = async (): Promise<string> =>
  installWheels(
    join("openapi-tools", `python-${await digestOf(source, ["requirements.txt"])}`),
    ["--requirement", join(source, "requirements.txt")],
    "The tests of the OpenAPI document",
  );

/** Runs a program with `input` to read. */
function pipe(command: string, args: string[], input: string, options: { cwd?: string; env?: NodeJS.ProcessEnv }) {
  const running = run(command, args, { ...options, timeout: RUN_MS, maxBuffer: 64 * 1024 * 1024 });
  running.child.stdin?.end(input);
  return running;
}

/**
 * What Spectral and Redocly find fault with. Writes the document's types, as openapi-typescript makes them, to
 * `typesFile`.
 */
export async function lintDocument(
  { node }: { node: string },
  document: string,
  typesFile: string,
): Promise<{ spectral: string[]; redocly: string[] }> {
  const { stdout } = await pipe(process.execPath, [join(node, "check.mjs"), typesFile], document, { cwd: node });
  return JSON.parse(stdout) as { spectral: string[]; redocly: string[] };
}

/** The document's types as the client and the console take them. */
export async function clientTypes({ node }: { node: string }, document: string): Promise<string> {
  return (await pipe(process.execPath, [join(node, "client-types.mjs")], document, { cwd: node })).stdout;
}

const VALIDATE = "import json, sys, openapi_spec_validator\nopenapi_spec_validator.validate(json.load(sys.stdin))";

/** Rejects with what openapi-spec-validator says. */
export async function validateDocument({ python }: { python: string }, document: string): Promise<void> {
  await pipe("python3", ["-c", VALIDATE], document, { env: pythonEnvironment({ python }) });
}

/** Its formatter is left out. */
const GENERATOR_CONFIG = "post_hooks: []";

/** Generates the Python package `name` in `folder`; answers what openapi-python-client printed. */
export async function generatePythonClient(
  { python }: { python: string },
  document: string,
  folder: string,
  name: string,
): Promise<string> {
  const [config, file] = [join(folder, "config.yaml"), join(folder, "openapi.json")];
  await Promise.all([writeFile(config, GENERATOR_CONFIG), writeFile(file, document)]);
  const args = [
    "-m",
    "openapi_python_client",
    "generate",
    "--path",
    file,
    "--output-path",
    join(folder, name),
    "--meta",
    "none",
    "--config",
    config,
  ];
  const { stdout, stderr } = await run("python3", args, {
    cwd: folder,
    env: pythonEnvironment({ python }),
    timeout: RUN_MS,
  });
  return stdout + stderr;
}

/** Runs a program that imports a generated client from `folder`; answers what it prints. */
export async function runPython(
  { python }: { python: string },
  program: string,
  folder: string,
  args: string[],
): Promise<string> {
  return (
    await run("python3", ["-c", program, ...args], { cwd: folder, env: pythonEnvironment({ python }), timeout: RUN_MS })
  ).stdout;
}

const pythonEnvironment = ({ python }: { python: string }): NodeJS.ProcessEnv => ({
  ...process.env,
  PYTHONPATH: python,
  PYTHONDONTWRITEBYTECODE: "1",
});
