// The entry point of `npm start`, `npm test`, `npm run bench` and `npm run scale`. Plain JavaScript for any Node from
// 20 on, with nothing installed: it brings the dependencies up to date, then hands over to the program on the Node that
// the project needs.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { install } from "./install.mjs";
import { asksForHelp, flawOf, PROGRAMS } from "./usage.mjs";

const NODE_MIN = [22, 18];

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
/** What Node has compiled of the programs, which start many times in a run. */
const compileCache = join(root, "node_modules", ".cache", "node");

const [program = "", ...rest] = process.argv.slice(2);
const usage = Object.hasOwn(PROGRAMS, program) ? PROGRAMS[program] : undefined;
if (!usage) fail(`Usage: node scripts/run.mjs ${Object.keys(PROGRAMS).join("|")} [--help]`);
if (asksForHelp(rest)) {
  console.log(usage.help);
  process.exit(0);
}
const flaw = flawOf(usage, rest);
if (flaw) fail(`${flaw}\n\n${usage.help}`);
await install(root, program !== "start").catch((error) => fail(error.message));
await handOver(findNode());

/**
 * npm's package of Node 24 where there is one for this platform; otherwise the caller's own Node, if it is new enough.
 */
function findNode() {
  const packaged = join(root, "node_modules", ".bin", "node");
  if (existsSync(packaged)) return packaged;
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > NODE_MIN[0] || (major === NODE_MIN[0] && minor >= NODE_MIN[1])) return process.execPath;
  fail(
    `Fjord needs Node ${NODE_MIN.join(".")} or newer here, and this is ${process.version}. npm brings Node ` +
      "itself on Linux (x64, arm64) only.",
  );
}

/**
 * Runs the program with this terminal, passes signals on and ends with its exit code.
 * The channel between the two closes when this process is killed, which the program notices; npm's own death shows as a
 * new parent.
 */
async function handOver(node) {
  const main = join(root, "scripts", program, "main.ts");
  const path = `${dirname(node)}:${process.env.PATH ?? ""}`;
  const child = spawn(node, [main, ...rest], {
    cwd: root,
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env: { ...process.env, PATH: path, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? compileCache },
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event)
    setInterval(() => process.ppid === parent || child.kill("SIGTERM"), 1_000).unref();
  child.on("error", (error) => fail(`${node} did not start: ${error.message}`));
  child.on("exit", (code, signal) => process.exit(code ?? (signal === "SIGKILL" ? 137 : 1)));
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
