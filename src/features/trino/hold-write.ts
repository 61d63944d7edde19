// A statement that writes, as it comes: translated at once, begun when its client asks for the first page. So a client
// that sends it again, because no answer came, has it written once.

import { WRITE_FORBIDDEN } from "../../../kernel/wire/failure-text.ts";
import { Problem } from "../../core/problem.ts";
import { holdQuery } from "../query/async/hold.ts";
import { mayWrite } from "../query/target.ts";
import { answerOf } from "./answer.ts";
import { Refusal } from "../trino-sql/refusal.ts";
import type { Expression } from "../trino-sql/parse/tree.ts";
import type { Write } from "../trino-sql/parse/write.ts";
import { translateWrite, UPDATES } from "../trino-sql/translate/write/translate-write.ts";
import { catalogOf, openCatalog, schemaFinder, tableFinder, targetFinder } from "../trino-sql/lake-tables.ts";
import { pageAddress } from "./page-address.ts";
import { constantsOf, requireHoldable, type Exchange } from "./exchange.ts";
import { writtenHead } from "./written.ts";

export async function holdWrite(asked: Exchange, write: Write, values: readonly Expression[]): Promise<Response> {
  const { ctx, session, id, origin } = asked;
  // Each statement is a transaction of its own: a ROLLBACK would say that this one was undone.
  if (session.isInTransaction) throw new Refusal("NOT_SUPPORTED", "A lake is written to with autocommit alone.");
  const catalog = await openCatalog(ctx, catalogOf(write, session));
  if (!mayWrite(ctx.scope, catalog.access)) throw new Problem("forbidden_insufficient_permissions", WRITE_FORBIDDEN);
  const sql = translateWrite(write, {
    findTable: tableFinder(catalog, session),
    findTarget: targetFinder(catalog, session),
    findSchema: schemaFinder(catalog, session),
    constants: constantsOf(ctx.scope, session, catalog),
    parameters: values,
  });
  requireHoldable(sql);
  await holdQuery(ctx, { id, sql, lakeId: catalog.lakeId, readerHead: writtenHead(UPDATES[write.kind]) });
  const nextUri = await pageAddress(ctx, { origin, queryId: id, offset: 0 });
  return answerOf({ id, origin, state: "QUEUED", elapsedMs: 0, nextUri });
}
