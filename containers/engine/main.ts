// The engine's process: environment in, one HTTP server, an orderly end on SIGTERM.

import { tmpdir } from "node:os";
import { setFlagsFromString } from "node:v8";
import { shutDownOnSignal } from "../program/shutdown.ts";
import { removeLeftovers } from "../program/leftovers.ts";
import { parseSettings, takeProgramEnvironment } from "../program/settings.ts";
import { AsyncStatements } from "./async-statements.ts";
import { Jobs } from "./jobs/jobs.ts";
import { workKinds } from "./jobs/work-kinds.ts";
import { readLakeSettings } from "./core/settings.ts";
import { Lake } from "./lake/read/lake.ts";
import { ENGINE_PORT, ENGINE_SETTINGS } from "./contract/constants/program.ts";
import { SemanticCompiler } from "./semantic/compile/process/semantic-compiler.ts";
import { createEngineServer } from "./server.ts";
import { emulatorOf } from "./sources/emulator.ts";
import { Statements } from "./statements.ts";

// The SQL parser is WebAssembly. Optimising it takes half a gigabyte for half a second, and it is fast enough as it is.
setFlagsFromString("--wasm-tiering-budget=2000000000");

const STATEMENTS_MAX = 64;

const { secret, platformUrl, s3Dial, port, host } = takeProgramEnvironment(process.env, "ENGINE_SECRET", ENGINE_PORT);
parseSettings(ENGINE_SETTINGS, process.env);
emulatorOf("bigquery");
emulatorOf("snowflake");

const environment = { platformUrl, s3Dial };
const settings = readLakeSettings();
const lake = new Lake(environment, settings);
const statements = new Statements(STATEMENTS_MAX);
const jobs = new Jobs(environment, workKinds(settings));
const compiler = new SemanticCompiler();
const asyncStatements = new AsyncStatements(environment, { lake, compiler }, statements);
const server = createEngineServer({ secret, lake, statements, asyncStatements, jobs, compiler });

server.listen(port, host, () => {
  const address = server.address();
  console.log(
    JSON.stringify({ event: "engine.listening", port: typeof address === "object" ? address?.port : address }),
  );
  // Not before the port is this engine's: one that is taken ends the process.
  lake.start();
  void removeLeftovers(tmpdir());
});

shutDownOnSignal(server, () => {
  // Cancels them at their sources.
  statements.stop();
  compiler.stop();
  return Promise.all([asyncStatements.settle(), jobs.stop(), lake.stop()]);
});
