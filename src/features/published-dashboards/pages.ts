// The pages of HTML tiles are files of the drive, where readers have no place. What is published is a copy: a file that
// changes is seen outside when an admin says so, as the doc is.

import type { Tile } from "../../../kernel/docs/dashboard.ts";
import type { Needs } from "../../clients/context.ts";
import { Problem, type Flaw } from "../../core/problem.ts";
import { objectKeyOf } from "../drive/object-key.ts";
import { PUBLICATION_LIMITS } from "../publications/limits.ts";

type HtmlTile = Extract<Tile, { type: "html" }>;

/** The text of each HTML tile's file, by the tile's id. Throws `validation_failed` for files that can't be shown. */
export async function readPages(
  ctx: Needs<"scope" | "bucket">,
  tiles: readonly Tile[],
): Promise<Record<string, string>> {
  const drawn = tiles.filter((tile): tile is HtmlTile => tile.type === "html");
  if (drawn.length > 0 && !ctx.scope.rights.includes("drive"))
    throw new Problem(
      "forbidden_insufficient_permissions",
      "Who publishes a tile of an HTML file shows that file: this needs the right drive.",
    );
  const pages: Record<string, string> = {};
  const flaws: Flaw[] = [];
  // One after the other, since each may be as large as all that is published.
  for (const { id, driveFile } of drawn) {
    const text = await readPage(ctx, driveFile);
    if (text !== undefined) pages[id] = text;
    else flaws.push({ pointer: "/doc_id", message: `The tile ${id}: ${unreadable(driveFile)}` });
  }
  if (flaws.length > 0) throw new Problem("validation_failed", "The doc has tiles that can't be published.", flaws);
  return pages;
}

const unreadable = (path: string): string =>
  `the drive has no file ${path}, or it has more than ${PUBLICATION_LIMITS.contentBytesMax} bytes.`;

async function readPage({ scope, bucket }: Needs<"scope" | "bucket">, path: string): Promise<string | undefined> {
  const { key } = await objectKeyOf(scope.teamId, path);
  const found = await bucket.find(key);
  if (!found || found.size > PUBLICATION_LIMITS.contentBytesMax) return undefined;
  const object = await bucket.read(key);
  return object && new Response(object.body).text();
}
