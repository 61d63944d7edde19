import type { Page, PageOf } from "../../../core/page.ts";
import type { Needs } from "../../../clients/context.ts";
import { requireDoc } from "../find.ts";
import { openRunReader } from "../executions/read-output.ts";
import { shownRun, type DocRun } from "./run.ts";
import { selectRuns } from "./store.ts";

/** A page of a doc's runs, newest first. */
export async function listDocRuns(ctx: Needs<"scope" | "db">, docId: string, asked: Page): Promise<PageOf<DocRun>> {
  const doc = await requireDoc(ctx, docId);
  const [page, mayRead] = await Promise.all([selectRuns(ctx.db, ctx.scope.teamId, doc.id, asked), openRunReader(ctx)]);
  return { ...page, items: page.items.map((run) => shownRun(run, mayRead(run))) };
}
