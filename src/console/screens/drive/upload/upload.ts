// One upload, without React: a file goes to the store in parts of one size, each by a URL that was signed for it. An
// upload can be paused, resumed and cancelled; a part that failed is sent again, and parts that arrived are not.

import { api, bodyOf } from "../../../api/client.ts";
import { sendPart, type Sending } from "./send-part.ts";
import { partSize } from "../../../../../clients/typescript/src/upload.ts";
import { rangeOf } from "./parts.ts";

export type UploadState = "running" | "paused" | "done" | "failed" | "cancelled";
export type UploadView = {
  id: number;
  path: string;
  bytes: number;
  sent: number;
  state: UploadState;
  error: Error | null;
};

const TRIES_MAX = 3;
/** URLs are good for an hour; a few at a time are asked for, just before they are used. */
const SIGNED_AT_ONCE = 8;

let lastId = 0;

export class Upload {
  readonly id = ++lastId;
  readonly #file: File;
  readonly #path: string;
  readonly #onChange: () => void;
  readonly #etags: string[] = [];
  #uploadId: string | undefined;
  #partBytes = 0;
  #sentOfPart = 0;
  #sending: Sending | undefined;
  #state: UploadState = "running";
  #error: Error | null = null;

  constructor(file: File, path: string, onChange: () => void) {
    this.#file = file;
    this.#path = path;
    this.#onChange = onChange;
  }

  get view(): UploadView {
    const { size } = this.#file;
    const sent = Math.min(size, this.#etags.length * this.#partBytes + this.#sentOfPart);
    return { id: this.id, path: this.#path, bytes: size, sent, state: this.#state, error: this.#error };
  }

  /** Sends what is not there yet. Ends when it is all there, when it was stopped, or when it failed. */
  async run(): Promise<void> {
    this.#set("running");
    try {
      await (this.#file.size === 0 ? this.#sendEmpty() : this.#sendParts());
    } catch (error) {
      // Whoever has stopped it has set its state already.
      if (this.#isRunning()) this.#set("failed", error instanceof Error ? error : new Error(String(error)));
    }
  }

  pause(): void {
    if (this.#isRunning()) this.#stop("paused");
  }

  async cancel(): Promise<void> {
    this.#stop("cancelled");
    if (this.#uploadId !== undefined)
      await api.DELETE("/v3/drive/uploads/{upload_id}", { params: { path: { upload_id: this.#uploadId } } });
  }

  async #sendParts(): Promise<void> {
    if (this.#uploadId === undefined) {
      const made = await bodyOf(api.POST("/v3/drive/uploads", { body: { path: this.#path } }));
      this.#uploadId = made.upload_id;
      this.#partBytes = partSize(this.#file.size, made);
    }
    const path = { upload_id: this.#uploadId };
    const count = Math.ceil(this.#file.size / this.#partBytes);
    while (this.#isRunning() && this.#etags.length < count) {
      const first = this.#etags.length + 1;
      const numbers = Array.from({ length: Math.min(SIGNED_AT_ONCE, count - first + 1) }, (_, at) => first + at);
      const signed = await bodyOf(
        api.POST("/v3/drive/uploads/{upload_id}/parts", { params: { path }, body: { part_numbers: numbers } }),
      );
      for (const { upload_url: url } of signed.parts) {
        if (!this.#isRunning()) return;
        this.#etags.push(await this.#send(url, signed.headers, this.#etags.length));
        this.#progress(0);
      }
    }
    if (!this.#isRunning()) return;
    const parts = this.#etags.map((etag, at) => ({ part_number: at + 1, etag }));
    await bodyOf(api.POST("/v3/drive/uploads/{upload_id}/complete", { params: { path }, body: { parts } }));
    this.#set("done");
  }

  /** An empty file has no parts. */
  async #sendEmpty(): Promise<void> {
    const { upload_url: url, headers } = await bodyOf(api.POST("/v3/drive/upload-url", { body: { path: this.#path } }));
    await this.#send(url, headers, 0);
    this.#set("done");
  }

  async #send(url: string, headers: Readonly<Record<string, string>>, index: number): Promise<string> {
    const { start, end } = rangeOf(index, this.#partBytes, this.#file.size);
    const part = this.#file.slice(start, end);
    for (let tries = 1; ; tries++) {
      try {
        this.#sending = sendPart(url, headers, part, (sent) => this.#progress(sent));
        return await this.#sending.etag;
      } catch (error) {
        this.#progress(0);
        if (tries >= TRIES_MAX || !this.#isRunning()) throw error;
      }
    }
  }

  #isRunning(): boolean {
    return this.#state === "running";
  }

  #stop(state: UploadState): void {
    this.#set(state);
    this.#sending?.abort();
    this.#sentOfPart = 0;
  }

  #progress(sent: number): void {
    this.#sentOfPart = sent;
    this.#onChange();
  }

  #set(state: UploadState, error: Error | null = null): void {
    this.#state = state;
    this.#error = error;
    this.#onChange();
  }
}
