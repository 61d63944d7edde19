// A dataset's output goes to the platform as lines while it runs. It is bounded in lines, bytes and line length.

import { StringDecoder } from "node:string_decoder";
import { setTimeout as delay } from "node:timers/promises";
import type { z } from "zod";
import type { RunLog } from "../../../kernel/wire/sandbox.ts";
import type { RunPlatform } from "./run-platform.ts";

type Line = z.infer<typeof RunLog>["lines"][number];

const LINE_CHARACTERS_MAX = 4_000;
const LINES_MAX = 10_000;
const BYTES_MAX = 1024 * 1024;
const BATCH_LINES_MAX = 200;
const BATCH_MS = 150;

export class DatasetLog {
  readonly #platform: RunPlatform;
  readonly #executionId: string;
  readonly #decoders = { stdout: new StringDecoder("utf8"), stderr: new StringDecoder("utf8") };
  readonly #rests = { stdout: "", stderr: "" };
  readonly #waiting: Line[] = [];
  #lines = 0;
  #bytes = 0;
  #isCut = false;
  #lost = 0;
  #sending: Promise<void> | undefined;
  readonly #hurry = new AbortController();

  constructor(platform: RunPlatform, executionId: string) {
    this.#platform = platform;
    this.#executionId = executionId;
  }

  take(stream: "stdout" | "stderr", chunk: Buffer): void {
    if (this.#isCut) return;
    const text = this.#rests[stream] + this.#decoders[stream].write(chunk);
    const lines = text.split("\n");
    let rest = lines.pop()!;
    for (const line of lines) this.#add(stream, line.endsWith("\r") ? line.slice(0, -1) : line);
    // A line without an end is cut where a line may end.
    for (; rest.length > LINE_CHARACTERS_MAX; rest = rest.slice(LINE_CHARACTERS_MAX))
      this.#add(stream, rest.slice(0, LINE_CHARACTERS_MAX));
    this.#rests[stream] = rest;
  }

  /** Adds a line of the sandbox's own. */
  note(text: string): void {
    this.#push("system", text.slice(0, LINE_CHARACTERS_MAX));
  }

  /** Sends what is left; waits no longer than the platform takes. */
  async end(): Promise<void> {
    for (const stream of ["stdout", "stderr"] as const)
      if (this.#rests[stream] !== "") this.#add(stream, this.#rests[stream]);
    this.#hurry.abort();
    while (this.#sending) await this.#sending;
  }

  #add(stream: "stdout" | "stderr", line: string): void {
    for (let at = 0; at === 0 || at < line.length; at += LINE_CHARACTERS_MAX) {
      if (this.#isCut) return;
      const text = line.slice(at, at + LINE_CHARACTERS_MAX);
      this.#lines++;
      this.#bytes += Buffer.byteLength(text);
      if (this.#lines > LINES_MAX || this.#bytes > BYTES_MAX) {
        this.#isCut = true;
        return this.note(
          `The log ends here: it may have ${LINES_MAX} lines and ${BYTES_MAX} bytes. The dataset runs on.`,
        );
      }
      this.#push(stream, text);
    }
  }

  #push(stream: Line["stream"], text: string): void {
    // The queue holds as many lines as there may be in all: a slow platform loses none.
    this.#waiting.push({ at: new Date().toISOString(), stream, text });
    this.#sending ??= this.#send().finally(() => (this.#sending = undefined));
  }

  async #send(): Promise<void> {
    await delay(BATCH_MS, undefined, { signal: this.#hurry.signal }).catch(() => undefined);
    while (this.#waiting.length > 0) {
      const lines = this.#waiting.splice(0, BATCH_LINES_MAX);
      if (this.#lost > 0)
        lines.push({
          at: new Date().toISOString(),
          stream: "system",
          text: `${this.#lost} lines were lost: the platform did not take them in time.`,
        });
      this.#lost = 0;
      await this.#platform
        .log({ executionId: this.#executionId, lines })
        .catch(() => void (this.#lost += lines.length));
    }
  }
}
