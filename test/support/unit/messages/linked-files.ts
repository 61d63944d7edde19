// Linked files as a delivery makes them: an object, and a row in the batch of whoever makes it.

import { env } from "cloudflare:workers";
import { type NewLinkedFile, planLinkedFile } from "../../../../src/features/linked-files/linked-file.ts";
import { insertLinkedFileStatements } from "../../../../src/features/linked-files/store.ts";
import { openDb } from "../../../../src/platform/db/client.ts";

type LinkedFileChanges = Partial<NewLinkedFile> & { content?: string; now?: Date };

export async function addLinkedFile(
  teamId: string,
  madeBy: string,
  { content = "id\n1\n", now = new Date(), ...more }: LinkedFileChanges = {},
) {
  const db = openDb(env.DB);
  const bytes = new TextEncoder().encode(content).byteLength;
  const endsAt = new Date(now.getTime() + 3_600_000);
  const file = { teamId, madeBy, name: "orders.csv", mediaType: "text/csv; charset=utf-8", bytes, endsAt, ...more };
  const { row, path } = await planLinkedFile(file, now);
  await db.batch([...insertLinkedFileStatements(db, row)]);
  await env.BUCKET.put(row.objectKey, content);
  return { ...row, path };
}
