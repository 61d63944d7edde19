// This file builds the console with Vite. A build whose sources have not changed is left alone: wrangler asks for one
// at each change of the Worker, and several programs may ask at once.

import { createHash, randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The Worker puts the nonce of each answer in its place. */
const NONCE_PLACE = "CSP_NONCE";
/** The console, and a dashboard within another page. */
const PAGES = ["index.html", "embed.html"];
const SOURCES = ["src/console", "kernel"];
const FILES = ["package-lock.json", "scripts/assets/console.mjs", "tsconfig.console.json"];

/** Builds the console into the folder `app` of `assets`. Throws what Vite finds wrong with the sources. */
export async function buildConsole(root, assets) {
  const digest = digestOf(root);
  const stamp = join(root, "node_modules/.cache/console-digest");
  const target = join(assets, "app");
  if (existsSync(target) && existsSync(stamp) && readFileSync(stamp, "utf8") === digest) return;
  // Vite is slow to load, and most builds end above.
  const { build } = await import("vite");
  const made = join(root, "node_modules/.cache", `console-${randomUUID()}`);
  mkdirSync(made, { recursive: true });
  // Tests build the console, too, and would get React as its developers have it.
  const environment = process.env.NODE_ENV;
  process.env.NODE_ENV = "production";
  try {
    await build({
      root: join(root, "src/console"),
      configFile: false,
      envDir: false,
      base: "/app/",
      logLevel: "warn",
      html: { cspNonce: NONCE_PLACE },
      build: {
        outDir: made,
        emptyOutDir: true,
        target: "es2023",
        modulePreload: { polyfill: false },
        assetsInlineLimit: 0,
        // Charts and editors are large, and come with the screens that need them.
        chunkSizeWarningLimit: 1_500,
        rolldownOptions: { input: PAGES.map((page) => join(root, "src/console", page)), onLog: logMost },
      },
    });
    replaceFolder(made, target);
    writeFileSync(stamp, digest);
  } finally {
    if (environment === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = environment;
    rmSync(made, { recursive: true, force: true });
  }
}

/** Libraries mark their files for servers that render React; there is none here. */
function logMost(level, log, write) {
  if (log.code !== "MODULE_LEVEL_DIRECTIVE") write(level, log);
}

function digestOf(root) {
  const hash = createHash("sha256");
  const names = SOURCES.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  ).sort();
  for (const name of [...names, ...FILES.map((file) => join(root, file))])
    hash.update(`${name.slice(root.length)}\n`).update(readFileSync(name));
  return hash.digest("hex");
}

/** Another build may have put its own there at the same moment; both are of the same sources then. */
function replaceFolder(made, target) {
  const before = `${made}-before`;
  if (existsSync(target)) renameSync(target, before);
  try {
    renameSync(made, target);
  } catch (error) {
    if (!existsSync(target)) throw error;
  }
  rmSync(before, { recursive: true, force: true });
}
