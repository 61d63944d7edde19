// dev: the whole platform on this machine, from a checkout, as `npm start` does it.

import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { AddCommands } from "../context.ts";
import { EXIT, UsageError } from "../exit-codes.ts";
import { isMap, parseJson } from "../json.ts";

const CHECKOUT = "fjord";

export const addDevCommand: AddCommands = (program) => {
  program
    .command("dev")
    .description("start the platform on this machine, from a checkout, as npm start does")
    .action(dev);
};

/** Ends as the launcher does. */
async function dev(): Promise<void> {
  const root = await findCheckout(process.cwd());
  const child = spawn(process.execPath, [join(root, "scripts/run.mjs"), "start"], { cwd: root, stdio: "inherit" });
  process.once("SIGTERM", () => child.kill("SIGTERM"));
  // A terminal sends Ctrl-C to the launcher, too.
  if (!process.stdin.isTTY) process.once("SIGINT", () => child.kill("SIGINT"));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", resolve);
  });
  process.exitCode = code ?? EXIT.failed;
}

/** The folder, or the nearest above it, that is a checkout. */
async function findCheckout(folder: string): Promise<string> {
  const text = await readFile(join(folder, "package.json"), "utf8").catch(() => "{}");
  const manifest = parseJson(text);
  if (isMap(manifest) && manifest["name"] === CHECKOUT) return folder;
  const above = dirname(folder);
  if (above === folder) throw new UsageError("This is no checkout of Fjord: fjord dev runs in one, as npm start does.");
  return findCheckout(above);
}
