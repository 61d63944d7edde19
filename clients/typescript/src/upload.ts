// An upload to the drive: a small file at once, a larger one in parts, so that what has arrived is not sent again.

import type { FjordApi } from "./api.ts";
import { fetchBefore, type Fetch } from "./send.ts";

/** The state of an upload in parts: plain data, which a program can keep and hand back to resume. */
export type UploadState = Readonly<{ uploadId: string; partBytes: number; bytes: number; etags: readonly string[] }>;

export type UploadOptions = Readonly<{
  signal?: AbortSignal;
  /** Called after each part that has arrived. */
  onProgress?: (sentBytes: number, totalBytes: number) => void;
  /** Called with the state to resume from, after each part that has arrived. */
  onState?: (state: UploadState) => void;
  /** The state of an upload of the same file that broke off. */
  resume?: UploadState;
}>;

type Store = Readonly<{ api: FjordApi; fetch: Fetch }>;
type PartBounds = { part_bytes_min: number; part_bytes_max: number; parts_max: number };

const MIB = 1024 * 1024;
const PART_BYTES = 16 * MIB;
const TRIES_MAX = 3;
const PART_MS_MAX = 15 * 60_000;
/** URLs are good for an hour; a few at a time are asked for, just before they are used. */
const SIGNED_AT_ONCE = 8;

/** Sends the file to the path of the drive. A file that is there is replaced. Throws `FjordProblem`. */
export async function uploadFile(store: Store, path: string, file: Blob, options: UploadOptions = {}): Promise<void> {
  const { onProgress, resume, signal = null } = options;
  if (file.size > PART_BYTES || resume) return uploadParts(store, path, file, options);
  const { data } = await store.api.POST("/v3/drive/upload-url", { body: { path }, signal });
  await put(store, { url: data!.upload_url, headers: data!.headers, body: file, signal });
  onProgress?.(file.size, file.size);
}

async function uploadParts(store: Store, path: string, file: Blob, options: UploadOptions): Promise<void> {
  const { onProgress, onState, signal = null } = options;
  const { uploadId, partBytes, etags: arrived } = options.resume ?? (await begin(store, path, file, signal));
  const etags = [...arrived];
  const params = { path: { upload_id: uploadId } };
  const count = Math.ceil(file.size / partBytes);
  while (etags.length < count) {
    const first = etags.length + 1;
    const numbers = Array.from({ length: Math.min(SIGNED_AT_ONCE, count - first + 1) }, (_, at) => first + at);
    const body = { part_numbers: numbers };
    const { data } = await store.api.POST("/v3/drive/uploads/{upload_id}/parts", { params, body, signal });
    for (const { upload_url: url } of data!.parts) {
      const start = etags.length * partBytes;
      etags.push(await put(store, { url, headers: data!.headers, body: file.slice(start, start + partBytes), signal }));
      onProgress?.(Math.min(file.size, etags.length * partBytes), file.size);
      onState?.({ uploadId, partBytes, bytes: file.size, etags: [...etags] });
    }
  }
  const parts = etags.map((etag, at) => ({ part_number: at + 1, etag }));
  await store.api.POST("/v3/drive/uploads/{upload_id}/complete", { params, body: { parts }, signal });
}

async function begin({ api }: Store, path: string, file: Blob, signal: AbortSignal | null): Promise<UploadState> {
  const { data } = await api.POST("/v3/drive/uploads", { body: { path }, signal });
  return { uploadId: data!.upload_id, partBytes: partSize(file.size, data!), bytes: file.size, etags: [] };
}

/** All parts but the last have this size: large enough that they suffice for the file, small enough to send again. */
export function partSize(bytes: number, bounds: PartBounds): number {
  const least = Math.ceil(bytes / bounds.parts_max / MIB) * MIB;
  return Math.min(bounds.part_bytes_max, Math.max(PART_BYTES, bounds.part_bytes_min, least));
}

type Part = Readonly<{
  url: string;
  headers: Readonly<Record<string, string>>;
  body: Blob;
  signal: AbortSignal | null;
}>;

/** Answers the entity tag of what the store now has. */
async function put({ fetch }: Store, { url, headers, body, signal }: Part): Promise<string> {
  for (let tries = 1; ; tries++) {
    try {
      const response = await fetchBefore(
        PART_MS_MAX,
        fetch,
        new Request(url, { method: "PUT", headers, body, signal }),
      );
      const text = await response.text();
      if (!response.ok) throw new Error(`The object store answered ${response.status}: ${text}`);
      return response.headers.get("etag")?.replaceAll('"', "") ?? "";
    } catch (error) {
      if (signal?.aborted || tries >= TRIES_MAX) throw error;
    }
  }
}
