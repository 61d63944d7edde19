// The file behind an address. One that is unknown, has ended or was revoked, and one whose team or object is gone, all
// answer alike.

import { Problem } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import { dispositionOf, hashToken } from "./linked-file.ts";
import { countDownload, findByToken } from "./store.ts";

/** `isCounted`: the file itself is fetched, and not only its headers. Throws 404. */
export async function fetchLinkedFile(
  { db, bucket }: Needs<"db" | "bucket">,
  token: string,
  { isCounted, now }: { isCounted: boolean; now: Date },
): Promise<Response> {
  const at = now.toISOString();
  const hash = await hashToken(token);
  const row = hash === undefined ? undefined : await findByToken(db, hash, at);
  const object = row && (await bucket.read(row.objectKey));
  if (!row || !object) throw new Problem("resource_not_found", "This address leads to no file, or no longer.");
  if (isCounted) await countDownload(db, row, at);
  return new Response(object.body, {
    headers: {
      "Content-Type": row.mediaType,
      "Content-Length": String(object.size),
      "Content-Disposition": dispositionOf(row),
      "X-Robots-Tag": "noindex",
    },
  });
}
