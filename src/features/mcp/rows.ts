// The rows of a statement as a tool tells them: lists in the order of the columns, as many as an agent can hold.

import { z } from "@hono/zod-openapi";
import { Problem } from "../../core/problem.ts";
import { MCP_LIMITS } from "./limits.ts";

const Result = z.object({
  success: z.boolean(),
  message: z.string().optional(),
  columns: z.array(z.string()),
  data: z.array(z.record(z.string(), z.unknown())),
  rowCount: z.number(),
  truncated: z.boolean(),
});

export type Rows = {
  columns: string[];
  rows: unknown[][];
  row_count: number;
  /** Absent where all rows are here. */
  cut?: string;
};

/** Room for what stands around the rows. */
const ROWS_CHARACTERS_MAX = MCP_LIMITS.answerCharactersMax - 5_000;

/** Reads the JSON answer of a statement. Throws `query_failed` where it failed after its first rows. */
export async function readRows(response: Response): Promise<Rows> {
  const { success, message, columns, data, rowCount, truncated } = Result.parse(await response.json());
  if (!success) throw new Problem("query_failed", message ?? "The statement failed after its first rows.");
  const { rowsMax } = MCP_LIMITS;
  const rows = data.slice(0, rowsMax).map((record) => columns.map((column) => record[column]));
  return keepRows(columns, rows, { rowCount, truncated });
}

/** As many of the first rows as an answer has room for. `rowCount`: of all; `truncated`: there are still more. */
export function keepRows(
  columns: string[],
  first: Iterable<unknown[]>,
  { rowCount, truncated }: { rowCount: number; truncated: boolean },
): Rows {
  const rows: unknown[][] = [];
  let characters = 0;
  for (const row of first) {
    characters += JSON.stringify(row).length;
    if (characters > ROWS_CHARACTERS_MAX) break;
    rows.push(row);
  }
  if (rows.length === rowCount && !truncated) return { columns, rows, row_count: rowCount };
  const all = truncated ? `more than ${rowCount}` : String(rowCount);
  const cut = `The first ${rows.length} of ${all} rows. Aggregate, filter or page with LIMIT and OFFSET for the rest.`;
  return { columns, rows, row_count: rowCount, cut };
}
