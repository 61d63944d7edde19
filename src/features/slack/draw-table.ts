// A table as lines of one width each, for text in which all characters are equally wide. Pure.

import type { MessageTable } from "../messages/content.ts";
import { escapeText } from "./escape-text.ts";
import { SLACK_LIMITS } from "./limits.ts";

/** The table has as many whole rows as fit, escaped. `rows`: how many these are. */
export function drawTable(
  { columns, rows }: Pick<MessageTable, "columns" | "rows">,
  charactersMax: number,
): { text: string; rows: number } {
  const [head, ...body] = [columns, ...rows].map((row) => row.map(cellText));
  const widths = head!.map((name, at) =>
    body.reduce((widest, row) => Math.max(widest, widthOf(row[at])), widthOf(name)),
  );
  const lineOf = (row: string[]): string =>
    escapeText(
      widths
        .map((width, at) => padEnd(row[at] ?? "", width))
        .join("  ")
        .trimEnd(),
    );
  const rule = widths.map((width) => "─".repeat(width)).join("  ");
  const lines = [lineOf(head!), rule];
  let left = charactersMax - lines.join("\n").length;
  if (left < 0) return { text: "(too many columns to be shown here)", rows: 0 };
  for (const row of body) {
    const line = lineOf(row);
    left -= line.length + 1;
    if (left < 0) break;
    lines.push(line);
  }
  return { text: lines.join("\n"), rows: lines.length - 2 };
}

/** One line, bounded; a zero-width space keeps three backticks from ending the block. */
function cellText(cell: string | null): string {
  const characters = [...(cell ?? "NULL").replaceAll(/\s+/g, " ").replaceAll("`", "`\u200b")];
  const { cellCharactersMax } = SLACK_LIMITS;
  return characters.length <= cellCharactersMax
    ? characters.join("")
    : `${characters.slice(0, cellCharactersMax - 1).join("")}…`;
}

const widthOf = (cell = ""): number => [...cell].length;

const padEnd = (cell: string, width: number): string => cell + " ".repeat(Math.max(0, width - widthOf(cell)));
