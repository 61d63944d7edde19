// MySQL's side of its protocol, recorded and played.

import type { Framing, Message } from "./mutations.ts";
import { listen, sayFrom, startProxy, type Protocol, type Recording } from "./recorded-servers.ts";

const HEAD_BYTES = 4;
const SSL = 0x0800;
const QUIT = 1;

const framing: Framing = {
  split(bytes) {
    const messages: Message[] = [];
    for (let at = 0; at + HEAD_BYTES <= bytes.length; ) {
      const end = at + HEAD_BYTES + bytes.readUIntLE(at, 3);
      messages.push({ head: bytes[at + 3]!, body: Buffer.from(bytes.subarray(at + HEAD_BYTES, end)) });
      at = end;
    }
    return messages;
  },
  join: (messages) =>
    Buffer.concat(
      messages.flatMap(({ head, body }) => {
        const frame = Buffer.alloc(HEAD_BYTES);
        frame.writeUIntLE(body.length, 0, 3);
        frame[3] = head;
        return [frame, body];
      }),
    ),
};

/** A greeting of a server that has no TLS. */
export function withoutTls(greeting: Buffer): Buffer {
  const flags = greeting.indexOf(0, HEAD_BYTES + 1) + 1 + 4 + 8 + 1;
  const copy = Buffer.from(greeting);
  copy.writeUInt16LE(copy.readUInt16LE(flags) & ~SSL, flags);
  return copy;
}

/** Names a client's packets, each by its number and its first byte. */
function readClient(onPacket: (number: number, first: number) => void): (bytes: Buffer) => void {
  let held = Buffer.alloc(0);
  return (bytes) => {
    held = Buffer.concat([held, bytes]);
    while (held.length > HEAD_BYTES && held.length >= HEAD_BYTES + held.readUIntLE(0, 3)) {
      onPacket(held[3]!, held[HEAD_BYTES]!);
      held = held.subarray(HEAD_BYTES + held.readUIntLE(0, 3));
    }
  };
}

export const recordedMysql: Protocol = {
  framing,
  async record(target, use) {
    const spoken: Buffer[][][] = [];
    const proxy = await startProxy(target, () => {
      const answers: Buffer[][] = [[]];
      const read = readClient((_number, first) => {
        if (answers.length === 1) spoken.push(answers);
        if (first !== QUIT || answers.length === 1) answers.push([]);
      });
      return {
        fromClient(bytes) {
          read(bytes);
          return bytes;
        },
        fromServer(bytes) {
          const isGreeting = answers.length === 1 && answers[0]!.length === 0;
          const passed = isGreeting ? withoutTls(bytes) : bytes;
          answers.at(-1)!.push(passed);
          return passed;
        },
      };
    });
    try {
      await use(proxy.port);
      return spoken.map((answers) => answers.map((parts) => Buffer.concat(parts)));
    } finally {
      proxy.close();
    }
  },
  play(recording: Recording, spoilt) {
    let connections = 0;
    return listen((socket) => {
      // A client that finds no TLS comes again without: only one that answers the greeting counts.
      let say = sayFrom(recording[connections] ?? [], connections, spoilt, socket);
      let answer = 0;
      const read = readClient(() => {
        if (answer === 1) {
          const connection = connections++;
          say = sayFrom(recording[connection] ?? [], connection, spoilt, socket);
        }
        say(answer++);
      });
      say(answer++);
      socket.on("data", read).on("end", () => socket.end());
    });
  },
};
