// The program of the compile process: the only place where a tenant's model meets Cube's compiler. It holds no
// credentials, reads its own code and nothing after that, and answers one order after the other.

import { flushCompileCache } from "node:module";
import { getHeapStatistics } from "node:v8";
import { replaceModules } from "../cube/light-modules.ts";
import { lockDown } from "./lock-down.ts";
import { encodeMessage, MessageReader, type CompileAnswer, type CompileOrder } from "./messages.ts";
import { standInForFunctions } from "./no-code.ts";

/** Past this share of the heap the process gives way to a fresh one: the next order would find less than its due. */
const HEAP_SHARE_MAX = 0.6;

const { stdin, stdout } = process;
const exit = process.exit.bind(process);
const send = (answer: CompileAnswer): boolean => stdout.write(encodeMessage(answer));

replaceModules();
standInForFunctions();
const { answerOrder } = await import("./answer-order.ts");
// It will be killed one day, and Node keeps what it has compiled only at an orderly exit. Does nothing without a cache.
flushCompileCache();
lockDown();

const orders = new MessageReader();
stdin.on("data", (piece: Buffer) => {
  for (const order of orders.read(piece)) {
    send(answerOrder(order as CompileOrder));
    const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
    if (used > limit * HEAP_SHARE_MAX) exit(0);
  }
});
// The engine is gone, however it went: so are we.
stdin.on("end", () => exit(0));
stdout.on("error", () => exit(0));
send({ ready: true });
