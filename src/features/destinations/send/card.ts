// A message's content as an Adaptive Card, in the message that the webhook of a Teams workflow takes. All that comes
// from data stands in text runs, in which Teams reads no Markdown: it can neither format nor link. Pure.

import { cutText } from "../../../core/text/cut-text.ts";
import type { MessageContent, MessageLink, MessageTable } from "../../messages/content.ts";
import { DESTINATION_LIMITS } from "../limits.ts";
import { fitRows } from "./fit-rows.ts";

type Element = Record<string, unknown>;

const { cardBytesMax, cardCellCharactersMax, cardColumnsMax, cardLinksMax, cardRowsMax } = DESTINATION_LIMITS;
const { cardTextCharactersMax, cardTextLinesMax } = DESTINATION_LIMITS;

export const cardOf = (content: MessageContent): object => fitRows(content, cardBytesMax, messageOf);

const messageOf = (content: MessageContent) => ({
  type: "message",
  attachments: [
    {
      contentType: "application/vnd.microsoft.card.adaptive",
      contentUrl: null,
      content: {
        $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
        type: "AdaptiveCard",
        version: "1.5",
        msteams: { width: "Full" },
        body: elementsOf(content),
      },
    },
  ],
});

const elementsOf = ({ subject, text, tables, links }: MessageContent): Element[] => [
  run(subject, { size: "Large", weight: "Bolder" }),
  ...linesOf(text),
  ...tables.flatMap(tableElements),
  ...links.slice(0, cardLinksMax).map(linkElement),
];

/** A paragraph of its own; Teams refuses one without text. */
const run = (text: string, style: Element = {}): Element => ({
  type: "RichTextBlock",
  inlines: [{ type: "TextRun", text: text.trim() === "" ? " " : text, ...style }],
});

/** A paragraph a line: a text run shows no line breaks. */
function linesOf(text: string): Element[] {
  const lines = cutText(text, cardTextCharactersMax).split("\n");
  const shown = lines.slice(0, cardTextLinesMax).filter((line) => line.trim() !== "");
  return [...shown, ...(lines.length > cardTextLinesMax ? ["…"] : [])].map((line) => run(line));
}

function tableElements({ title, columns, rows, rowCount }: MessageTable): Element[] {
  const [names, shown] = [columns.slice(0, cardColumnsMax), rows.slice(0, cardRowsMax)];
  const isPart = shown.length < rowCount || names.length < columns.length;
  const part = isPart ? ` (${shown.length} of ${rowCount} rows, ${names.length} of ${columns.length} columns)` : "";
  const heading = run(title + part, { weight: "Bolder" });
  if (names.length === 0) return [heading];
  const cells = shown.map((row) => rowElement(names.map((_, at) => row[at] ?? null)));
  return [
    heading,
    {
      type: "Table",
      firstRowAsHeader: true,
      columns: names.map(() => ({ width: 1 })),
      rows: [rowElement(names, { weight: "Bolder" }), ...cells],
    },
  ];
}

const rowElement = (cells: (string | null)[], style: Element = {}): Element => ({
  type: "TableRow",
  cells: cells.map((cell) => ({
    type: "TableCell",
    items: [
      run(cell === null ? "NULL" : cutText(cell, cardCellCharactersMax), cell === null ? { isSubtle: true } : style),
    ],
  })),
});

const linkElement = ({ title, url, expiresAt }: MessageLink): Element => ({
  type: "ActionSet",
  actions: [
    {
      type: "Action.OpenUrl",
      title: `${cutText(title, cardCellCharactersMax)} (until ${expiresAt.slice(0, 10)})`,
      url,
    },
  ],
});
