// A result's rows as canonical texts.

import { textOf } from "../canonical-text.ts";
import { rowsTaken } from "../messages.ts";
import type { DescribedStatement, ResultTaker } from "./described-statement.ts";
import { FIRST_COLUMN, readRows } from "./read-rows.ts";

/** Takes rows as texts; `flush` comes behind each chunk of them. */
type TextTaker = { row(cells: (string | null)[]): void; flush(): Promise<void> };

export async function streamTexts(statement: DescribedStatement, take: ResultTaker, texts: TextTaker): Promise<void> {
  const select = statement.shape.types.map((type, i) => textOf(type, `c${i + 1}`)).join(", ");
  await readRows(statement, { select, rowsMax: rowsTaken(statement.order.result) }, take, {
    async add(chunk, rows) {
      for (const row of chunk.getRows().slice(0, rows)) texts.row(row.slice(FIRST_COLUMN) as (string | null)[]);
      await texts.flush();
      return true;
    },
  });
}
