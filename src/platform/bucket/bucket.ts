// The bucket: objects by key, uploads in parts, and URLs that let their holder do one thing with one object.

import { parentOf, signGet, signPart, signPut, type StorageEnv } from "./signed-urls.ts";
import { grantFolder, type FolderPermission, type TemporaryCredentials } from "./temporary-credentials.ts";
import { toUploadFailure, UploadFailure } from "./upload-failure.ts";

export type StoredObject = Pick<R2Object, "key" | "size" | "etag" | "uploaded">;

/**
 * `after` is a key: what comes behind it is listed. With a delimiter, what lies below a folder is listed as the folder
 * alone.
 */
export type ObjectQuery = { prefix: string; delimiter?: "/" | undefined; after?: string | undefined; limit: number };
/** `folders` end in the delimiter. `isComplete` is false where there is more behind. */
export type ObjectPage = { objects: StoredObject[]; folders: string[]; isComplete: boolean };

/** An upload in parts, as the bucket knows it. */
export type StoreUpload = { objectKey: string; storeUploadId: string };
export type UploadedPart = { partNumber: number; etag: string };

export type Bucket = {
  /** The bucket's name, as other engines name it. */
  name: string;
  find(key: string): Promise<StoredObject | undefined>;
  /** The object's bytes, streaming. */
  read(key: string): Promise<{ body: ReadableStream; size: number } | undefined>;
  /** Some of the object's bytes; fewer where it ends. */
  readPart(key: string, part: { offset: number; length: number }): Promise<Uint8Array | undefined>;
  /** Puts a whole object there. */
  write(key: string, content: string | Uint8Array): Promise<void>;
  list(query: ObjectQuery): Promise<ObjectPage>;
  /** However many; that some are not there is as good. */
  delete(keys: readonly string[]): Promise<void>;
  /** Answers the bucket's own id of the upload. */
  createUpload(key: string): Promise<string>;
  /**
   * The parts become one object, which appears whole. Throws an {@link UploadFailure} for what the caller has done
   * wrong.
   */
  completeUpload(upload: StoreUpload, parts: UploadedPart[]): Promise<StoredObject>;
  /** Drops what was uploaded; that there is nothing any more is as good. */
  abortUpload(upload: StoreUpload): Promise<void>;
  /** The origin of the URLs that are signed. */
  readonly origin: string;
  /** URLs good for `BUCKET_LIMITS.signedUrlSeconds`. */
  signGet(key: string): string;
  signPut(key: string): string;
  signPart(upload: StoreUpload, partNumber: number): string;
  /** Credentials that read the objects of a folder and list none; good at {@link origin}. */
  grantFolder(permission: FolderPermission): TemporaryCredentials;
  /**
   * Whether the network carries an answer of `HEALTH_URL`, or, where that is empty, of the endpoint that signed URLs
   * lead to, whatever it says. Throws where it doesn't.
   */
  pingEndpoint(signal: AbortSignal): Promise<void>;
};

/** R2 lists and deletes a thousand objects at a time. */
export const OBJECTS_PER_CALL_MAX = 1_000;

export function openBucket(env: StorageEnv & Pick<Env, "BUCKET" | "HEALTH_URL">): Bucket {
  const { BUCKET: store, BUCKET_NAME: name } = env;
  const resume = ({ objectKey, storeUploadId }: StoreUpload): R2MultipartUpload =>
    store.resumeMultipartUpload(objectKey, storeUploadId);
  return {
    name,

    get origin() {
      return new URL(env.S3_ENDPOINT).origin;
    },

    find: async (key) => (await store.head(key)) ?? undefined,

    async read(key) {
      const object = await store.get(key);
      return object ? { body: object.body, size: object.size } : undefined;
    },

    async readPart(key, { offset, length }) {
      const object = await store.get(key, { range: { offset, length } });
      return object ? new Uint8Array(await object.arrayBuffer()) : undefined;
    },

    async write(key, content) {
      await store.put(key, content);
    },

    async list({ prefix, delimiter, after, limit }) {
      const page = await store.list({
        prefix,
        limit,
        ...(delimiter ? { delimiter } : {}),
        ...(after === undefined ? {} : { startAfter: after }),
      });
      return { objects: page.objects, folders: page.delimitedPrefixes, isComplete: !page.truncated };
    },

    async delete(keys) {
      for (let from = 0; from < keys.length; from += OBJECTS_PER_CALL_MAX)
        await store.delete(keys.slice(from, from + OBJECTS_PER_CALL_MAX));
    },

    createUpload: async (key) => (await store.createMultipartUpload(key)).uploadId,

    completeUpload: (upload, parts) =>
      resume(upload)
        .complete(parts)
        .catch((error: unknown) => {
          throw toUploadFailure(error);
        }),

    abortUpload: (upload) =>
      resume(upload)
        .abort()
        .catch((error: unknown) => {
          const failure = toUploadFailure(error);
          if (!(failure instanceof UploadFailure && failure.reason === "missing")) throw error;
        }),

    signGet: (key) => signGet(env, key),
    signPut: (key) => signPut(env, key),
    signPart: (upload, partNumber) => signPart(env, upload.objectKey, upload.storeUploadId, partNumber),

    grantFolder: (grant) => grantFolder(parentOf(env), grant),

    async pingEndpoint(signal) {
      const response = await fetch(env.HEALTH_URL || new URL(env.S3_ENDPOINT).origin, {
        method: "HEAD",
        redirect: "manual",
        signal,
      });
      await response.body?.cancel();
    },
  };
}
