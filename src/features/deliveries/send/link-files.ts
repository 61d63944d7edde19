// Whole results under addresses of their own, which lead nowhere until their messages are handed over.

import type { Needs } from "../../../clients/context.ts";
import { draftLinks } from "../../linked-files/link.ts";
import { planLinkedFile, type LinkedFileRow } from "../../linked-files/linked-file.ts";
import type { MessageLink } from "../../messages/content.ts";
import type { DeliveryRow } from "../delivery.ts";
import { nameFile, writeFile } from "./files.ts";
import type { OpenResults } from "./open-results.ts";

/** `result`: the name of the one whose rows are in the file. */
export type PlannedLink = { result: string; row: LinkedFileRow; shown: MessageLink };

const DAY_MS = 86_400_000;

/** One for each result that a delivery sends by link. Nothing is written. */
export async function planLinks(
  { scope, settings }: Needs<"scope" | "settings">,
  delivery: DeliveryRow,
  names: readonly string[],
): Promise<PlannedLink[]> {
  const { files } = delivery;
  if (files?.by !== "link") return [];
  const { teamId, userId: madeBy, now } = scope;
  const endsAt = new Date(now.getTime() + files.days * DAY_MS);
  return Promise.all(
    names.map(async (result) => {
      const { row, path } = await planLinkedFile(
        { teamId, madeBy, ...nameFile(delivery, result), bytes: 0, endsAt },
        now,
      );
      const url = `${settings.platformUrl}${path}`;
      return { result, row, shown: { title: row.name, url, expiresAt: row.endsAt } };
    }),
  );
}

/** Writes the files, one in memory at a time. Answers the rows as they are to be published. */
export async function writeLinkedFiles(
  ctx: Needs<"db" | "bucket" | "scope">,
  { delivery, links, results }: { delivery: DeliveryRow; links: readonly PlannedLink[]; results: OpenResults },
): Promise<LinkedFileRow[]> {
  const rows = links.map(({ row }) => row);
  await draftLinks(ctx, rows, ctx.scope.now);
  const written: LinkedFileRow[] = [];
  for (const { result, row } of links) {
    const { bytes } = writeFile(delivery, { name: result, table: await results.open(result) });
    await ctx.bucket.write(row.objectKey, bytes);
    written.push({ ...row, bytes: bytes.length });
  }
  results.close();
  return written;
}
