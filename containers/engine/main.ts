// The engine's process: environment in, one HTTP server, an orderly end on SIGTERM. The program that starts it waits
// for its first answer, so it begins with what takes longest, a query process; it listens; and only then it loads what
// its answers take. The imports of this file are loaded before either.

import { tmpdir } from "node:os";
import { setFlagsFromString } from "node:v8";
import { shutDownOnSignal } from "../program/shutdown.ts";
import { removeLeftovers } from "../program/leftovers.ts";
import { parseSettings, takeProgramEnvironment } from "../../kernel/wire/settings.ts";
import { ENGINE_PORT, ENGINE_SETTINGS } from "../../kernel/wire/engine-program.ts";
import { readLakeSettings } from "./core/settings.ts";
import { QueryPool } from "./lake/process/pool/query-pool.ts";
import type { OpenEngine } from "./open-engine.ts";
import { createEngineServer } from "./server.ts";
import { emulatorOf } from "./sources/emulator.ts";

// The SQL parser is WebAssembly. Optimising it takes half a gigabyte for half a second, and it is fast enough as it is.
setFlagsFromString("--wasm-tiering-budget=2000000000");

const { secret, platformUrl, s3Dial, port, host } = takeProgramEnvironment(process.env, "ENGINE_SECRET", ENGINE_PORT);
parseSettings(ENGINE_SETTINGS, process.env);
emulatorOf("bigquery");
emulatorOf("snowflake");

const settings = readLakeSettings();
const pool = new QueryPool(settings);
pool.start();

const opened = Promise.withResolvers<OpenEngine>();
const server = createEngineServer(secret, opened.promise);

server.listen(port, host, async () => {
  const address = server.address();
  console.log(
    JSON.stringify({ event: "engine.listening", port: typeof address === "object" ? address?.port : address }),
  );
  // Not before the port is this engine's: one that is taken ends the process, which may share its folder with another.
  const { openEngine } = await import("./open-engine.ts");
  opened.resolve(openEngine({ platformUrl, s3Dial }, settings, pool));
  void removeLeftovers(tmpdir());
});

shutDownOnSignal(server, async () => (await opened.promise).stop());
