// This program compiles the engine's modules into NODE_COMPILE_CACHE while the image is built. A container that starts,
// and each query process of it, would otherwise compile them anew before the first answer.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { glob } from "node:fs/promises";
import { join } from "node:path";

/** These begin to work as soon as they are loaded. */
const PROGRAM = /(?:^|\/)(?:main|program|compile-ahead|[a-z]+-thread)\.ts$/;
/** A query process is up within this time, and has loaded what it works with. */
const RUN_MS = 5_000;

const folder = import.meta.dirname;
for await (const path of glob("**/*.ts", { cwd: folder })) if (!PROGRAM.test(path)) await import(join(folder, path));

// What a program has run is compiled in more depth than what was only loaded.
const environment = { ENGINE_SECRET: "none", PLATFORM_URL: "http://127.0.0.1:9", HOST: "127.0.0.1", PORT: "0" };
const engine = spawn(process.execPath, [join(folder, "main.ts")], {
  env: { ...process.env, ...environment },
  stdio: "inherit",
});
setTimeout(() => engine.kill("SIGTERM"), RUN_MS);
const [code] = (await once(engine, "exit")) as [number | null];
process.exit(code === 0 ? 0 : 1);
