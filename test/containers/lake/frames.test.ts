import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { FRAME_BYTES_MAX, FrameReader, sendFrame } from "../../../containers/engine/lake/process/frames.ts";
import type { Frame } from "../../../containers/engine/lake/process/messages.ts";

const open: { close(): void }[] = [];

async function openPipe(): Promise<{ frames: FrameReader; out: Socket }> {
  const frames = new FrameReader();
  const out = await frames.open();
  open.push(frames, { close: () => out.destroy() });
  return { frames, out };
}

afterEach(() => {
  for (const each of open.splice(0)) each.close();
});

const data = (size: number): Extract<Frame, { bytes: Uint8Array }> => ({ kind: "data", bytes: randomBytes(size) });
const end: Frame = { kind: "end", value: { truncated: false } };
const SIZES = [0, 1, 4, 5, 6, 65_531, 65_536, FRAME_BYTES_MAX - 5, FRAME_BYTES_MAX, 3, 0, FRAME_BYTES_MAX, 100_000];

describe("frames", () => {
  it("come as they were sent, wherever reads end", async () => {
    const { frames, out } = await openPipe();
    const long: Frame = { kind: "answer", value: { answer: "é".repeat(400_000) } };
    const sent: Frame[] = [long, ...SIZES.map(data), end];
    const sending = (async () => {
      for (const frame of sent) await sendFrame(out, frame);
    })();
    for (const frame of sent) {
      const come = await frames.next();
      expect(come?.kind).toBe(frame.kind);
      if (!("bytes" in frame)) expect(come).toEqual(frame);
      else expect(Buffer.compare((come as typeof frame).bytes, frame.bytes)).toBe(0);
    }
    await sending;
  });

  it("come byte by byte", async () => {
    const { frames, out } = await openPipe();
    const written: Buffer[] = [];
    const recorder = {
      cork: () => undefined,
      uncork: () => undefined,
      write(bytes: Uint8Array, done?: () => void) {
        written.push(Buffer.from(bytes));
        done?.();
      },
    };
    const sent = [data(7), data(0), end];
    for (const frame of sent) await sendFrame(recorder as unknown as Socket, frame);
    const reading = (async () => {
      const come: (Frame | undefined)[] = [];
      for (const _ of sent) come.push(await frames.next());
      return come;
    })();
    for (const byte of Buffer.concat(written)) {
      out.write(Buffer.of(byte));
      await new Promise(setImmediate);
    }
    expect(await reading).toEqual(sent);
  });

  it("come in pieces, of which the last says where the frame ends", async () => {
    const { frames, out } = await openPipe();
    const sent = SIZES.map(data);
    const sending = Promise.all([...sent, end].map((frame) => sendFrame(out, frame)));
    for (const { bytes } of sent) {
      const pieces: Buffer[] = [];
      for (let isWhole = false; !isWhole; ) {
        const piece = (await frames.next(true)) as Extract<Frame, { bytes: Uint8Array }>;
        isWhole = piece.kind === "data";
        pieces.push(Buffer.from(piece.bytes));
      }
      expect(Buffer.compare(Buffer.concat(pieces), bytes)).toBe(0);
    }
    expect(await frames.next(true)).toEqual(end);
    await sending;
  });

  it("come in the same few buffers, but for those whose bytes are left", async () => {
    const { frames, out } = await openPipe();
    const sending = (async () => {
      for (let i = 0; i < 200; i++) await sendFrame(out, { kind: "data", bytes: Buffer.alloc(FRAME_BYTES_MAX, i) });
      await sendFrame(out, end);
    })();
    const left: { bytes: Uint8Array; copy: Buffer }[] = [];
    const buffers = new Set<ArrayBufferLike>();
    for (let i = 0; ; i++) {
      const frame = await frames.next(true);
      if (frame?.kind !== "data" && frame?.kind !== "part") break;
      if (i % 50 === 0) {
        left.push({ bytes: frame.bytes, copy: Buffer.from(frame.bytes) });
        frames.leaveBytes();
      } else buffers.add(frame.bytes.buffer);
    }
    await sending;
    expect(left.length).toBeGreaterThan(3);
    for (const { bytes, copy } of left) expect(Buffer.compare(bytes, copy)).toBe(0);
    // Each that was left is made good by a new one.
    expect(buffers.size).toBeLessThanOrEqual(3 + left.length * 2);
  });

  it("hold their writer back while nobody reads", async () => {
    const { frames, out } = await openPipe();
    let sent = 0;
    const sending = (async () => {
      for (; sent < 64; sent++) await sendFrame(out, data(FRAME_BYTES_MAX));
    })();
    for (let before = -1; before !== sent; await delay(200)) before = sent;
    expect(sent).toBeLessThan(8);
    for (let i = 0; i < 64; i++) expect((await frames.next())?.kind).toBe("data");
    await sending;
  });

  it("end with their writer, behind the last whole one", async () => {
    const { frames, out } = await openPipe();
    await sendFrame(out, data(10));
    out.end(Buffer.of(6, 9, 0, 0, 0, 1));
    expect((await frames.next())?.kind).toBe("data");
    expect(await frames.next()).toBeUndefined();
  });

  it("end when their reader closes, also for a writer who is held back", async () => {
    const { frames, out } = await openPipe();
    out.on("error", () => undefined);
    for (let i = 0; i < 8; i++) void sendFrame(out, data(FRAME_BYTES_MAX));
    await frames.next();
    const closed = new Promise((resolve) => out.once("close", resolve));
    frames.close();
    await closed;
    for (let i = 0; await frames.next(); i++) expect(i).toBeLessThan(8);
  });
});
