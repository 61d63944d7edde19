// The program of the compile process: the only place where a tenant's model meets Cube's compiler. It holds no
// credentials, reads no files but its own, and answers one order after the other.

import { encodeMessage, MessageReader, type CompileAnswer, type CompileOrder } from "./messages.ts";
import { standInForFunctions } from "./no-code.ts";

const write = process.stdout.write.bind(process.stdout);
const send = (answer: CompileAnswer): void => void write(encodeMessage(answer));

standInForFunctions();
const { answerOrder } = await import("./answer-order.ts");

const orders = new MessageReader();
process.stdin.on("data", (piece: Buffer) => {
  for (const order of orders.read(piece)) send(answerOrder(order as CompileOrder));
});
// The engine is gone, however it went: so are we.
process.stdin.on("end", () => process.exit(0));
process.stdout.on("error", () => process.exit(0));
send({ ready: true });
