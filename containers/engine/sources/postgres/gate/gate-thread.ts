// The worker thread that `check-in-thread.ts` starts: it holds PostgreSQL's parser and checks what it is sent.

import { parentPort } from "node:worker_threads";
import { toFailure } from "../../../core/failure.ts";
import { checkPostgresStatement, loadParser } from "./check-statement.ts";

const port = parentPort;
if (!port) throw new Error("This file is a worker thread.");
await loadParser();

port.on("message", (sql: string) => {
  try {
    checkPostgresStatement(sql);
    port.postMessage(null);
  } catch (error) {
    port.postMessage(toFailure(error).toJSON());
  }
});
// The first message says that the parser is loaded.
port.postMessage(null);
