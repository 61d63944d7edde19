import type { Needs } from "../../clients/context.ts";
import type { DocDetail } from "./doc.ts";
import { readSource, requireDoc } from "./find.ts";

/** A doc with what it says, archived or not. */
export async function getDoc(ctx: Needs<"scope" | "db">, id: string): Promise<DocDetail> {
  const doc = await requireDoc(ctx, id);
  const { text, mediaType, definition } = await readSource(ctx, doc);
  return { ...doc, media_type: mediaType, text, definition };
}
