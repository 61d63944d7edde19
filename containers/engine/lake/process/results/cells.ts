// A result as cells, for a reader in the engine.

import { Output } from "../../../formats/output.ts";
import { putCellRow } from "../cell-rows.ts";
import type { DescribedStatement, ResultTaker } from "./described-statement.ts";
import { sendCut } from "./pieces.ts";
import { streamTexts } from "./texts.ts";

export async function streamCells(statement: DescribedStatement, take: ResultTaker): Promise<{ truncated: boolean }> {
  const out = new Output();
  await streamTexts(statement, take, {
    row: (cells) => putCellRow(out, cells),
    flush: () => sendCut(out.take(), take),
  });
  return { truncated: false };
}
