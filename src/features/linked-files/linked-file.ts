// The noun: an address of one file, which nobody can guess, for whoever has it, until it ends. Only its hash is kept.

import { z } from "@hono/zod-openapi";
import { toBase64url } from "../../core/encoding.ts";
import { newId } from "../../core/ids.ts";
import { cutText } from "../../core/text/cut-text.ts";
import { shownBy } from "../../http/shown-by.ts";
import { sha256Hex } from "../../platform/crypto/digest.ts";
import type { AuditFacts } from "../../platform/db/audit-facts.ts";
import type { linkedFiles } from "../../platform/db/schema/linked-file-schema.ts";
import { LINKED_FILE_LIMITS } from "./limits.ts";

/** Where addresses are; the token follows. */
export const LINKED_FILE_PATH = "/f";

const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const MEDIA_TYPE = /^[a-z0-9.+-]{1,80}\/[a-z0-9.+-]{1,80}(; ?charset=[a-z0-9-]{1,40})?$/i;
const UNKNOWN_TYPE = "application/octet-stream";
const DAY_MS = 86_400_000;

export const LinkedFile = z
  .object({
    id: z.uuid(),
    name: z.string(),
    media_type: z.string(),
    bytes: z.number().int(),
    made_by: z.uuid(),
    created_at: z.iso.datetime(),
    ends_at: z.iso.datetime(),
    downloads: z.number().int().openapi({ description: "How often it was fetched, or begun to be." }),
    downloaded_at: z.iso.datetime().nullable().openapi({ description: "When it was fetched last." }),
  })
  .openapi("LinkedFile");
export type LinkedFile = z.infer<typeof LinkedFile>;

/** A linked file is its row. */
export type LinkedFileRow = typeof linkedFiles.$inferSelect;

export type NewLinkedFile = {
  teamId: string;
  /** The user who may revoke it, as admins may. */
  madeBy: string;
  name: string;
  mediaType: string;
  bytes: number;
  endsAt: Date;
};

/**
 * A new address. The caller makes drafts of its rows (`draftLinks`), writes the object under `row.objectKey`, and
 * publishes the row. `path` holds the token, which is kept nowhere here.
 */
export async function planLinkedFile(
  { teamId, madeBy, name, mediaType, bytes, endsAt }: NewLinkedFile,
  now: Date,
): Promise<{ row: LinkedFileRow; path: string }> {
  const lastMs = now.getTime() + LINKED_FILE_LIMITS.daysMax * DAY_MS;
  if (!(endsAt.getTime() <= lastMs)) throw new Error("A linked file ends within its bound.");
  const token = toBase64url(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)));
  const id = newId(now);
  const row = {
    id,
    teamId,
    tokenHash: await sha256Hex(token),
    name: plainName(name),
    mediaType: MEDIA_TYPE.test(mediaType) ? mediaType : UNKNOWN_TYPE,
    objectKey: `${teamId}/linked-files/${id}`,
    bytes,
    madeBy,
    createdAt: now.toISOString(),
    endsAt: endsAt.toISOString(),
    downloads: 0,
    downloadedAt: null,
  };
  return { row, path: `${LINKED_FILE_PATH}/${token}` };
}

/** The hash of a token; undefined for what is none. */
export const hashToken = async (token: string): Promise<string | undefined> =>
  TOKEN.test(token) ? sha256Hex(token) : undefined;

/** A file's name without folders, and without what a file system or a header would read. */
function plainName(name: string): string {
  const plain = name
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\"<>:|?*]+/gu, "_")
    .replace(/^\.+/, "_")
    .trim();
  return cutText(plain === "" ? "file" : plain.toWellFormed(), LINKED_FILE_LIMITS.nameCharactersMax);
}

/** RFC 6266: an ASCII name for who knows no other, and the name itself. */
export function dispositionOf({ name }: Pick<LinkedFileRow, "name">): string {
  const ascii = name.replaceAll(/[^\x20-\x7e]/g, "_").replaceAll("%", "_");
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

export const shownLinkedFile = (row: LinkedFileRow): LinkedFile => shownBy(LinkedFile, row);

export const auditedLinkedFile = ({ name, bytes, endsAt, madeBy, downloads }: LinkedFileRow): AuditFacts => ({
  name,
  bytes,
  made_by: madeBy,
  ends_at: endsAt,
  downloads,
});
