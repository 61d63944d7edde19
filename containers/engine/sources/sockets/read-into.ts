// A socket that is logged in reads into memory of whoever takes its bytes: with a new buffer for each read, a sync
// spends as much on collecting them as on decoding its rows.

import type { Socket } from "node:net";

export type ByteReceiver = {
  /** The memory that the next read writes into. */
  space(): Uint8Array;
  /** Takes the first `length` bytes of `memory`, which is what {@link space} gave, or memory of somebody else's. */
  receive(memory: Uint8Array, length: number): void;
};

/** A record of TLS. */
const SPARE_BYTES = 16 * 1024;

type Handle = { useUserBuffer?(memory: Uint8Array): void };

/**
 * Has `receiver` take what comes from the next read on. The stream still gives what was read before, and what comes
 * while the socket is paused, before anything later.
 *
 * Node gives this to a socket when it is made (`onread`), and not to TLS over a socket that is there. It keeps the
 * memory and who takes it in the same members of both, which are set here. Answers false where this Node has no such
 * members: then the stream goes on giving its bytes as buffers.
 */
export function readInto(socket: Socket, receiver: ByteReceiver): boolean {
  const members = socket as unknown as Record<symbol, unknown> & { _handle?: Handle | null };
  const [memory, take, next] = ["kBuffer", "kBufferCb", "kBufferGen"].map((name) =>
    Object.getOwnPropertySymbols(socket).find(({ description }) => description === name),
  );
  const handle = members._handle;
  if (!memory || !take || !next || !handle?.useUserBuffer) return false;
  // What the stream still has comes first, into the same end of the receiver's memory: that is given out after a read
  // for which nothing was waiting.
  const spare = Buffer.allocUnsafeSlow(SPARE_BYTES);
  handle.useUserBuffer(spare);
  members[memory] = spare;
  // TLS goes on with what it has received when the socket is paused. That waits in the stream, as it does without this
  // function, for a receiver that holds its socket back may still look at its memory.
  members[next] = () => (socket.isPaused() ? spare : receiver.space());
  members[take] = (length: number, from: Uint8Array) => {
    if (socket.isPaused()) return socket.push(Buffer.from(from.subarray(0, length)));
    receiver.receive(from, length);
    return true;
  };
  return true;
}
