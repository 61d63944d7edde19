// The program of the compile process: the only place where a tenant's model meets Cube's compiler. It holds no
// credentials, reads its own code and nothing after that, and answers one order after the other.

import { flushCompileCache } from "node:module";
import { getHeapStatistics } from "node:v8";
import { replaceModules } from "../cube/light-modules.ts";
import { lockDown } from "./lock-down.ts";
import { encodeMessage, MessageReader, type CompileAnswer, type CompileOrder } from "./messages.ts";
import { standInForFunctions } from "./no-code.ts";

/** The share of the heap past which a fresh process takes over: the next order would find too little memory. */
const HEAP_SHARE_MAX = 0.6;

const { stdin, stdout } = process;
const exit = process.exit.bind(process);
const send = (answer: CompileAnswer): boolean => stdout.write(encodeMessage(answer));

replaceModules();
standInForFunctions();
const { answerOrder } = await import("./answer-order.ts");
// The process will be killed in the end, and Node keeps compiled code only at an orderly exit. This does nothing
// without a cache.
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
// The engine is gone, for whatever reason, and this process ends, too.
stdin.on("end", () => exit(0));
stdout.on("error", () => exit(0));
send({ ready: true });
