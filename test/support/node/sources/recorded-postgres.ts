// PostgreSQL's side of its protocol, recorded and played.

import type { Framing, Message } from "./mutations.ts";
import { listen, sayFrom, startProxy, type Protocol, type Recording } from "./recorded-servers.ts";

const SSL_REQUEST = 80_877_103;
const CANCEL_REQUEST = 80_877_102;
const READY = 0x5a;
const AUTHENTICATION = 0x52;

const framing: Framing = {
  split(bytes) {
    const messages: Message[] = [];
    for (let at = 0; at + 5 <= bytes.length; ) {
      const end = at + 1 + bytes.readUInt32BE(at + 1);
      messages.push({ head: bytes[at]!, body: Buffer.from(bytes.subarray(at + 5, end)) });
      at = end;
    }
    return messages;
  },
  join: (messages) =>
    Buffer.concat(
      messages.flatMap(({ head, body }) => {
        const frame = Buffer.alloc(5, head);
        frame.writeUInt32BE(body.length + 4, 1);
        return [frame, body];
      }),
    ),
};

/** Numbers a client's messages: the first one, by its code; then each that asks for an answer. */
function readClient(onOpening: (code: number) => void, onRequest: () => void): (bytes: Buffer) => void {
  let held = Buffer.alloc(0);
  let isOpen = false;
  return (bytes) => {
    held = Buffer.concat([held, bytes]);
    for (;;) {
      const head = isOpen ? 1 : 0;
      if (held.length < head + 4) return;
      const end = head + held.readUInt32BE(head);
      if (held.length < end) return;
      const type = isOpen ? String.fromCharCode(held[0]!) : "";
      const code = isOpen ? 0 : held.readUInt32BE(4);
      held = held.subarray(end);
      if (isOpen) type === "Q" || type === "S" ? onRequest() : undefined;
      else {
        isOpen = code !== SSL_REQUEST;
        onOpening(code);
      }
    }
  };
}

/** Answers end with the server's being ready; what it asked before it let the client in is left out. */
function toAnswers(bytes: Buffer): Buffer[] {
  const answers: Message[][] = [[]];
  for (const message of framing.split(bytes)) {
    if (message.head === AUTHENTICATION && message.body.readUInt32BE(0) !== 0) continue;
    answers.at(-1)!.push(message);
    if (message.head === READY) answers.push([]);
  }
  return answers.filter((answer) => answer.length > 0).map(framing.join);
}

export const recordedPostgres: Protocol = {
  framing,
  async record(target, use) {
    const spoken: Buffer[][] = [];
    const proxy = await startProxy(target, () => {
      const said: Buffer[] = [];
      let isRequest = false;
      return {
        fromClient(bytes, answer) {
          isRequest = bytes.length === 8 && bytes.readUInt32BE(4) === SSL_REQUEST;
          if (isRequest) answer(Buffer.from("N"));
          return isRequest ? Buffer.alloc(0) : bytes;
        },
        fromServer(bytes) {
          if (said.length === 0) spoken.push(said);
          said.push(bytes);
          return bytes;
        },
      };
    });
    try {
      await use(proxy.port);
      return spoken.map((said) => toAnswers(Buffer.concat(said)));
    } finally {
      proxy.close();
    }
  },
  play(recording: Recording, spoilt) {
    let connections = 0;
    return listen((socket) => {
      let say = (_answer: number): void => undefined;
      let answer = 0;
      const read = readClient(
        (code) => {
          if (code === SSL_REQUEST) return void socket.write("N");
          if (code === CANCEL_REQUEST) return void socket.end();
          const connection = connections++;
          say = sayFrom(recording[connection] ?? [], connection, spoilt, socket);
          say(answer++);
        },
        () => say(answer++),
      );
      socket.on("data", read).on("end", () => socket.end());
    });
  },
};
