// The engine's process: environment in, one HTTP server, an orderly end on SIGTERM.

import { tmpdir } from "node:os";
import { setFlagsFromString } from "node:v8";
import { shutDownOnSignal } from "../program/shutdown.ts";
import { removeLeftovers } from "../program/leftovers.ts";
import { checkSettings } from "../program/settings.ts";
import { Jobs } from "./jobs/jobs.ts";
import { closeLake, openLake } from "./lake/run-statement.ts";
import { ENGINE_PORT, ENGINE_SETTINGS } from "./contract/protocol.ts";
import { createEngineServer } from "./server.ts";
import { Statements } from "./statements.ts";

// The SQL parser is WebAssembly. Optimising it takes half a gigabyte for half a second, and it is fast enough as it is.
setFlagsFromString("--wasm-tiering-budget=2000000000");

const STATEMENTS_MAX = 64;

const {
  ENGINE_SECRET: secret = "",
  PLATFORM_URL: platformUrl = "",
  S3_DIAL: s3Dial = "",
  PORT,
  HOST = "0.0.0.0",
} = process.env;
if (secret === "") throw new Error("ENGINE_SECRET is not set.");
// What this process starts inherits its environment; the secret stays here.
delete process.env.ENGINE_SECRET;
checkSettings(ENGINE_SETTINGS, process.env);

const lake = { platformUrl, s3Dial };
const statements = new Statements(STATEMENTS_MAX);
const jobs = new Jobs(lake);
const server = createEngineServer({ secret, lake, statements, jobs });

server.listen(Number(PORT ?? ENGINE_PORT), HOST, () => {
  const address = server.address();
  console.log(
    JSON.stringify({ event: "engine.listening", port: typeof address === "object" ? address?.port : address }),
  );
  openLake(lake);
  void removeLeftovers(tmpdir());
});

shutDownOnSignal(server, () => {
  // Cancels them at their sources.
  statements.stop();
  return Promise.all([jobs.stop(), closeLake()]);
});
