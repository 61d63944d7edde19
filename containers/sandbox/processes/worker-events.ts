// A worker process writes lines of JSON on its control descriptor. Nothing of them is believed before it is parsed.

import type { Readable } from "node:stream";
import { z } from "zod";
import { ResultKind } from "../../../kernel/wire/sandbox.ts";

const EVENT_BYTES_MAX = 4 * 1024 * 1024;

const Ended = z.object({
  event: z.literal("ended"),
  error: z.string().max(16_384).nullable(),
  traceback: z.string().max(65_536).nullable(),
  durationMs: z.number().nonnegative(),
  peakBytes: z.number().int().nonnegative(),
  result: z
    .object({
      kind: ResultKind,
      rows: z.number().int().nonnegative().nullable(),
      bytes: z.number().int().nonnegative(),
      columns: z
        .array(z.object({ name: z.string().max(400), type: z.string().max(800) }))
        .max(1_000)
        .nullable(),
    })
    .nullable(),
});
/** The end of the code, as its own process reports it. */
export type Ended = z.infer<typeof Ended>;

const Event = z.discriminatedUnion("event", [
  z.object({ event: z.literal("ready"), lacks: z.array(z.string()) }),
  z.object({ event: z.literal("started") }),
  Ended,
]);
type Event = z.infer<typeof Event>;

/** The code ended before its first line: an input or the syntax was wrong. */
export class NotStarted extends Error {
  readonly ended: Ended;

  constructor(ended: Ended) {
    super("The code did not start.");
    this.ended = ended;
  }
}

export class WorkerEvents {
  readonly #events: AsyncGenerator<Event>;

  constructor(stream: Readable) {
    this.#events = readEvents(stream);
  }

  /**
   * Rejects where another event comes, or none any more; with {@link NotStarted} where the end comes before the start.
   */
  async expect<Name extends Event["event"]>(name: Name): Promise<Extract<Event, { event: Name }>> {
    const { value, done } = await this.#events.next();
    if (done || value === undefined) throw new Error("It has ended.");
    if (value.event === "ended" && name === "started") throw new NotStarted(value);
    if (value.event !== name) throw new Error(`It said ${value.event} instead of ${name}.`);
    return value as Extract<Event, { event: Name }>;
  }
}

/** The events of a stream. They end at the first line that is no event, or past the bound. */
async function* readEvents(stream: Readable): AsyncGenerator<Event> {
  let rest: Buffer = Buffer.alloc(0);
  let bytes = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > EVENT_BYTES_MAX) return;
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
        const parsed = Event.safeParse(parseJson(rest.subarray(0, end).toString()));
        if (!parsed.success) return;
        yield parsed.data;
        rest = rest.subarray(end + 1);
      }
    }
  } catch {
    // A broken pipe says the same as its end.
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
