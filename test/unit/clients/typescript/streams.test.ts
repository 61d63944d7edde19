// Rows as they come, and files in parts.

import { describe, expect, it } from "vitest";
import { Fjord, type UploadState } from "../../../../clients/typescript/src/client.ts";
import { jsonLines } from "../../../../clients/typescript/src/lines.ts";
import { partSize } from "../../../../clients/typescript/src/upload.ts";
import { collect } from "../../../support/unit/clients/collect.ts";

const MIB = 1024 * 1024;

/** The bytes in chunks of `size`, and whether the reader has cancelled. */
function streamOf(text: string, size: number) {
  const bytes = new TextEncoder().encode(text);
  const state = { isCancelled: false };
  let at = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, (at += size)));
    },
    cancel: () => void (state.isCancelled = true),
  });
  return { stream, state };
}

describe("lines of JSON", () => {
  it.each([1, 2, 3, 5, 1_000])("are read whole however they are cut: %i bytes a chunk", async (size) => {
    const { stream } = streamOf('{"name":"Ærøskøbing 🌊"}\n{"n":1}\n\n{"n":2}', size);
    expect(await collect(jsonLines(stream))).toEqual([{ name: "Ærøskøbing 🌊" }, { n: 1 }, { n: 2 }]);
  });

  it("let go of the answer where the reader has enough", async () => {
    const { stream, state } = streamOf('{"n":1}\n'.repeat(100), 8);
    for await (const _row of jsonLines(stream)) break;
    expect(state.isCancelled).toBe(true);
  });
});

describe("an upload", () => {
  it("has parts that suffice for the largest file, and that the store takes", () => {
    const bounds = { part_bytes_min: 5 * MIB, part_bytes_max: 5 * 1024 * MIB, parts_max: 10_000 };
    expect(partSize(20 * MIB, bounds)).toBe(16 * MIB);
    const largest = 5_000_000_000_000;
    expect(Math.ceil(largest / partSize(largest, bounds))).toBeLessThanOrEqual(10_000);
  });

  it("goes on from its state, and sends again a part that broke off, but none that has arrived", async () => {
    const store = fakeStore();
    const fjord = new Fjord({ baseUrl: "https://fjord.test", apiKey: "a-key", fetch: store.fetch });
    const file = new Blob([new Uint8Array(40 * MIB)]);
    let state: UploadState | undefined;
    const onState = (now: UploadState) => void (state = now);
    store.failFrom(2, 3);
    await expect(fjord.upload("large.bin", file, { onState })).rejects.toThrow("500");
    expect(state).toMatchObject({ uploadId: "U", etags: ["etag-1"], bytes: 40 * MIB });
    store.failFrom(2, 1);
    const progress: number[] = [];
    await fjord.upload("large.bin", file, { resume: state!, onProgress: (sent) => progress.push(sent) });
    expect(store.arrived).toEqual([1, 2, 3]);
    expect(progress).toEqual([32 * MIB, 40 * MIB]);
    expect(store.completed).toEqual([1, 2, 3].map((part) => ({ part_number: part, etag: `etag-${part}` })));
  });
});

/** The platform and its object store, as far as an upload in parts meets them. */
function fakeStore() {
  const arrived: number[] = [];
  const failing = { part: 0, times: 0 };
  const store = {
    arrived,
    completed: undefined as unknown,
    failFrom: (part: number, times: number) => void Object.assign(failing, { part, times }),
    async fetch(request: Request): Promise<Response> {
      const { pathname } = new URL(request.url);
      if (request.method === "PUT") {
        const part = Number(pathname.slice(1));
        await request.arrayBuffer();
        if (part === failing.part && failing.times-- > 0) return new Response("broken", { status: 500 });
        arrived.push(part);
        return new Response(null, { headers: { etag: `"etag-${part}"` } });
      }
      const body = (await request.json()) as { part_numbers: number[]; parts: unknown };
      if (pathname.endsWith("/complete")) {
        store.completed = body.parts;
        return Response.json({});
      }
      if (!pathname.endsWith("/parts"))
        return Response.json({ upload_id: "U", part_bytes_min: 1, part_bytes_max: 1_000 * MIB, parts_max: 10_000 });
      const parts = body.part_numbers.map((part) => ({ part_number: part, upload_url: `https://store.test/${part}` }));
      return Response.json({ parts, headers: {} });
    },
  };
  return store;
}
