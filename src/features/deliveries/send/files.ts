// Whole results as files, attached to mails or under an address of their own.

import type { Needs } from "../../../clients/context.ts";
import { Problem } from "../../../core/problem.ts";
import { linkStatements, mayLinkMore } from "../../linked-files/link.ts";
import { planLinkedFile } from "../../linked-files/linked-file.ts";
import type { MessageFile, MessageLink } from "../../messages/content.ts";
import { messagePrefix, type Message } from "../../messages/message.ts";
import type { DeliveryFiles, DeliveryRow } from "../delivery.ts";
import { writeCsv } from "../render/files/csv.ts";
import { writeParquet } from "../render/files/parquet.ts";
import type { ResultTable } from "../render/result/read-result.ts";
import type { Tables } from "./parts.ts";

type Ctx = Needs<"db" | "scope" | "bucket" | "settings">;
type WrittenFile = { name: string; mediaType: string; bytes: Uint8Array };

const WRITERS: Record<DeliveryFiles["format"], { mediaType: string; write(table: ResultTable): Uint8Array }> = {
  csv: { mediaType: "text/csv; charset=utf-8", write: writeCsv },
  parquet: { mediaType: "application/vnd.apache.parquet", write: writeParquet },
};

const DAY_MS = 86_400_000;

/** Keeps a file among the objects of a message, which go with it. */
export async function keepFile(
  { bucket }: Needs<"bucket">,
  first: Message,
  { name, mediaType, bytes }: WrittenFile,
  contentId: string | null,
): Promise<MessageFile> {
  const key = `${messagePrefix(first)}${contentId === null ? "file" : "picture"}-${crypto.randomUUID()}`;
  await bucket.write(key, bytes);
  return { name, mediaType, key, bytes: bytes.length, contentId };
}

type Sent = { delivery: DeliveryRow; tables: Tables; first: Message };

/** The results that a delivery sends as files, each as it is asked for. */
export async function sendFiles(
  ctx: Ctx,
  { delivery, tables, first }: Sent,
): Promise<{ files: MessageFile[]; links: MessageLink[] }> {
  const { files: asked } = delivery;
  if (!asked) return { files: [], links: [] };
  const { write, mediaType } = WRITERS[asked.format];
  const files: MessageFile[] = [];
  const links: MessageLink[] = [];
  for (const [result, table] of tables) {
    const named = delivery.source.kind === "query" ? delivery.name : result;
    const file = { name: `${named}.${asked.format}`, mediaType, bytes: write(table) };
    if (asked.by === "attachment") files.push(await keepFile(ctx, first, file, null));
    else links.push(await linkFile(ctx, file, asked.days));
  }
  return { files, links };
}

/**
 * The row comes first, so that the sweep finds whatever was written; an address is told to nobody before its file is
 * there.
 */
async function linkFile(ctx: Ctx, { name, mediaType, bytes }: WrittenFile, days: number): Promise<MessageLink> {
  const { db, bucket, settings, scope } = ctx;
  const endsAt = new Date(scope.now.getTime() + days * DAY_MS);
  const asked = { teamId: scope.teamId, madeBy: scope.userId, name, mediaType, bytes: bytes.length, endsAt };
  const { row, path } = await planLinkedFile(asked, scope.now);
  await db.batch(linkStatements(db, row)).catch(async (error: unknown) => {
    if (await mayLinkMore(db, scope.teamId)) throw error;
    throw new Problem("business_quota_exceeded", "The team has as many linked files as it may.");
  });
  await bucket.write(row.objectKey, bytes);
  return { title: row.name, url: `${settings.platformUrl}${path}`, expiresAt: row.endsAt };
}
