// A result of a million rows in the workspace, with the types that results have.

import type { Locator } from "playwright-core";
import type { Visit } from "./visit.ts";

export const ROWS = 1_000_000;
/** The column `wide` begins here: beyond what a double holds. */
export const WIDE = 9_007_199_254_740_993n;

/** Twelve columns. */
export const STATEMENT = `SELECT i AS id, ${WIDE} + i AS wide, (i % 97)::INTEGER AS small, i / 3.0 AS third,
  (i * 7 % 100000)::DECIMAL(12, 2) AS amount, i % 2 = 0 AS flag, DATE '2020-01-01' + (i % 3000)::INTEGER AS day,
  TIMESTAMP '2020-01-01' + to_seconds(i) AS instant, 'customer ' || i AS name, md5(i::VARCHAR) AS digest,
  CASE WHEN i % 5 > 0 THEN 'word ' || i % 31 END AS word, [i, i + 1] AS pair
  FROM range(1, ${ROWS + 1}) t(i)`;

const ANSWERED_MS = 240_000;

/** Answers their grid, once all of them are there. */
export async function showMillionRows({ page, open }: Visit): Promise<Locator> {
  await open("/query");
  await page.locator(".cm-content").focus();
  await page.keyboard.insertText(STATEMENT);
  await page.keyboard.press("Control+Enter");
  const result = page.getByRole("region", { name: "Result" });
  await result.getByText("Done", { exact: true }).waitFor({ timeout: ANSWERED_MS });
  await result.getByText(ROWS.toLocaleString("en-US"), { exact: true }).waitFor();
  return page.getByRole("grid", { name: "Rows of the result" });
}
