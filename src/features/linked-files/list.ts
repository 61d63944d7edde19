import type { Page, PageOf } from "../../core/page.ts";
import type { Needs } from "../../clients/context.ts";
import { shownLinkedFile, type LinkedFile } from "./linked-file.ts";
import { selectLinkedFiles } from "./store.ts";
import { viewerOf } from "./viewer.ts";

/** A page of the links that have not ended, newest first, without their addresses. */
export async function listLinkedFiles({ scope, db }: Needs<"scope" | "db">, page: Page): Promise<PageOf<LinkedFile>> {
  const found = await selectLinkedFiles(db, viewerOf(scope), scope.now.toISOString(), page);
  return { ...found, items: found.items.map(shownLinkedFile) };
}
