// A result as record batches, straight from DuckDB's vectors.

import type { BatchFormat } from "../../../../../../kernel/wire/engine-program.ts";
import type { DescribedStatement, ResultTaker } from "../described-statement.ts";
import { FIRST_COLUMN, readRows } from "../read-rows.ts";
import { checkEntries } from "../same-entries.ts";
import { Batches } from "./batches.ts";
import { selectOf, selectedType } from "./read-column.ts";

export async function streamBatches(
  format: BatchFormat,
  statement: DescribedStatement,
  take: ResultTaker,
): Promise<{ truncated: boolean }> {
  const { shape } = statement;
  const select = shape.types.map((type, i) => selectOf(type, `c${i + 1}`)).join(", ");
  const batches = new Batches(format, shape, take);
  try {
    await readRows(statement, { select }, take, {
      open: (result) => checkEntries(result, FIRST_COLUMN, shape.types.map(selectedType)),
      async add(chunk, rows) {
        await batches.add(chunk, rows);
        return true;
      },
    });
    await batches.end();
  } finally {
    // Later frames of the process must not come within a batch.
    await batches.settled();
  }
  return { truncated: false };
}
