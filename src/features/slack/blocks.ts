// A message's content in the form of Slack: blocks within its bounds, in which no data can ping, link or format. Pure.

import { cutText } from "../../core/text/cut-text.ts";
import type { MessageContent, MessageLink, MessageTable } from "../messages/content.ts";
import { SLACK_LIMITS } from "./limits.ts";
import { drawTable } from "./draw-table.ts";
import { escapeText } from "./escape-text.ts";

type Block = Record<string, unknown>;

const { blocksMax, headerCharactersMax, sectionCharactersMax, tablesMax, linksMax, textSectionsMax } = SLACK_LIMITS;

/** `note`: what is said at its end. */
export function slackPostOf(
  { subject, text, tables, links }: MessageContent,
  note: string | null = null,
): { text: string; blocks: Block[] } {
  const parts = splitText(text);
  const blocks = [
    header(subject),
    ...parts.slice(0, textSectionsMax).map(section),
    ...tables.slice(0, tablesMax).flatMap((table) => tableBlocks(table)),
    ...links.slice(0, linksMax).map((link) => section(linkText(link))),
  ];
  const isCut = parts.length > textSectionsMax || tables.length > tablesMax || links.length > linksMax;
  const last = note === null ? [] : [section(escapeText(note))];
  const shownMax = blocksMax - last.length;
  const whole = !isCut && blocks.length <= shownMax;
  const shown = whole ? blocks : [...blocks.slice(0, shownMax - 1), section("_There is more than is shown here._")];
  return { text: escapeText(cutText(subject, headerCharactersMax)), blocks: [...shown, ...last] };
}

const header = (subject: string): Block => ({
  type: "header",
  text: { type: "plain_text", text: cutText(subject, headerCharactersMax) || "…", emoji: false },
});

/** `verbatim`: Slack makes no links and mentions of what looks like some. */
const section = (text: string): Block => ({ type: "section", text: { type: "mrkdwn", text, verbatim: true } });

const FENCE = "```";

function tableBlocks(table: MessageTable): Block[] {
  const title = `*${escapeText(cutText(table.title, headerCharactersMax))}*`;
  const drawn = drawTable(table, sectionCharactersMax - 2 * FENCE.length - 2);
  const left = table.rowCount - drawn.rows;
  const heading = left > 0 ? `${title}\n${drawn.rows} of ${table.rowCount} rows` : title;
  return [section(heading), section(`${FENCE}\n${drawn.text}\n${FENCE}`)];
}

function linkText({ title, url, expiresAt }: MessageLink): string {
  const address = new URL(url).href.replaceAll("|", "%7C");
  const named = escapeText(cutText(title, headerCharactersMax)).replaceAll("|", "/");
  return `<${escapeText(address)}|${named}> (until ${expiresAt.slice(0, 16).replace("T", " ")} UTC)`;
}

/** Escaped parts that each fit a section; split at the ends of lines where lines are short enough. */
function splitText(text: string): string[] {
  const parts: string[] = [];
  let part = "";
  for (const piece of text.split(/(?<=\n)/).flatMap((line) => splitLine(line))) {
    if (part.length + piece.length > sectionCharactersMax) {
      parts.push(part);
      part = "";
    }
    part += piece;
  }
  // Slack takes no section without text.
  return [...parts, part].filter((each) => each.trim() !== "");
}

/** An escaped line, whole or in pieces that fit; no escape is torn apart. */
function splitLine(line: string): string[] {
  const whole = escapeText(line);
  if (whole.length <= sectionCharactersMax) return [whole];
  const pieces = [""];
  for (const character of line) {
    const escaped = escapeText(character);
    if (pieces.at(-1)!.length + escaped.length > sectionCharactersMax) pieces.push("");
    pieces[pieces.length - 1] += escaped;
  }
  return pieces;
}
