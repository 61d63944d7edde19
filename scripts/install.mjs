// The packages that a program needs, from package-lock.json. `npm start` needs no packages of tests, linting and
// benches; the other programs add those. Plain JavaScript for any Node from 20 on, with nothing installed.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * What npm has to do so that `node_modules` holds what `locked` says, where `installed` is npm's own list of what it
 * holds: `nothing`; `add` what is missing of the packages for development; or a `clean` installation, `withDevelopment`
 * packages or without. Packages for development stay where there are some.
 */
export function planInstall(locked, installed, needsDevelopment, machine = process) {
  const hasDevelopment = Object.values(installed ?? {}).some(({ dev }) => dev === true);
  const withDevelopment = needsDevelopment || hasDevelopment;
  const fits = ({ os, cpu }) => allows(os, machine.platform) && allows(cpu, machine.arch);
  const isThere = ([path, { version, integrity, link }]) => {
    const there = installed?.[path];
    return there !== undefined && there.version === version && there.integrity === integrity && there.link === link;
  };
  const packages = Object.entries(locked).filter(([path]) => path.includes("node_modules/"));
  // npm leaves out an optional package that it can't fetch: to ask again with each start would not help.
  const needed = packages.filter(([path, entry]) => !entry.optional || (fits(entry) && path in (installed ?? {})));
  const isForDevelopment = ([, { dev, devOptional }]) => Boolean(dev || devOptional);
  const missing = needed.filter((entry) => !isThere(entry) && (withDevelopment || !isForDevelopment(entry)));
  // A folder that came from another machine has programs that don't run here.
  if (installed && Object.values(installed).every(fits)) {
    if (missing.length === 0) return { kind: "nothing" };
    if (missing.every((entry) => isForDevelopment(entry) && installed[entry[0]] === undefined)) return { kind: "add" };
  }
  return { kind: "clean", withDevelopment };
}

/** Whether npm's list of names or of `!names` takes this one. */
function allows(names, name) {
  // Some packages write a single name as it is.
  const list = [names ?? []].flat();
  return !list.includes(`!${name}`) && (list.includes(name) || list.every((each) => each.startsWith("!")));
}

/** Brings node_modules up to date for a program. Rejects with what npm said. */
export async function install(root, needsDevelopment) {
  const locked = packagesIn(join(root, "package-lock.json"));
  const plan = planInstall(locked, packagesIn(join(root, "node_modules", ".package-lock.json")), needsDevelopment);
  if (plan.kind === "nothing") return;
  const startedAt = Date.now();
  const [title, args] = COMMANDS[plan.kind](plan);
  console.log(`${title} (npm ${args.join(" ")}) …`);
  await runNpm(root, args);
  console.log(`Installed (${((Date.now() - startedAt) / 1000).toFixed(1)} s).`);
}

const COMMANDS = {
  // What is there stays as it is: a platform may run from it. npm writes neither file of the project.
  add: () => ["Adding the packages for tests and benches", ["install", "--no-save", "--include=dev"]],
  clean: ({ withDevelopment }) =>
    withDevelopment
      ? ["Installing all packages", ["ci", "--include=dev"]]
      : ["Installing the packages that the platform runs on", ["ci", "--omit=dev"]],
};

/** The `packages` of a lockfile; undefined when none is whole. npm writes its own list at the end of its work. */
function packagesIn(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8")).packages;
  } catch {
    return undefined;
  }
}

async function runNpm(root, args) {
  const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ["npm"];
  const [command, ...rest] = [...npm, ...args, "--no-audit", "--no-fund"];
  const child = spawn(command, rest, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => output.push(chunk));
  const code = await new Promise((resolve) =>
    child.on("error", (error) => resolve(error.message)).on("close", resolve),
  );
  if (code !== 0)
    throw new Error(`${Buffer.concat(output)}\nnpm ${args.join(" ")} failed (${code}); its messages are above.`);
}
