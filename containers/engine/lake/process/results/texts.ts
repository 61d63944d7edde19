// A result's rows as canonical texts.

import { textOf } from "../canonical-text.ts";
import { rowsTaken } from "../messages.ts";
import {
  broken,
  streamRows,
  wrapWithLastRow,
  type DescribedStatement,
  type ResultTaker,
} from "./described-statement.ts";

/** Takes rows as texts; `flush` comes behind each chunk of them. */
type TextTaker = { row(cells: (string | null)[]): void; flush(): Promise<void> };

export async function streamTexts(
  { connection, sql, shape, order }: DescribedStatement,
  take: ResultTaker,
  texts: TextTaker,
): Promise<void> {
  const rowsMax = rowsTaken(order.result);
  const streamed = wrapWithLastRow(sql, shape, {
    select: `true, ${shape.types.map((type, i) => textOf(type, `c${i + 1}`)).join(", ")}`,
    ...(rowsMax === undefined ? {} : { limit: ` LIMIT ${rowsMax}` }),
    last: `false${", NULL".repeat(shape.types.length)}`,
  });
  const result = await streamRows(connection, streamed, shape.types.length + 1);
  for (let whole = true; whole; ) {
    const chunk = await result.fetchChunk();
    if (!chunk || chunk.rowCount === 0) return broken(connection, streamed, take);
    for (const [more, ...cells] of chunk.getRows()) {
      whole = more === true;
      if (!whole) break;
      texts.row(cells as (string | null)[]);
    }
    await texts.flush();
  }
}
