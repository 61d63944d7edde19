// Content cut until its JSON fits a channel's bound: rows of tables first, then the tables, then the text. Pure.

import { cutText } from "../../../core/text/cut-text.ts";
import type { MessageContent } from "../../messages/content.ts";

/** The JSON of as much of the content as fits. Each cut halves what is there, so that there are few of them. */
export function fitRows<Json>(
  content: MessageContent,
  bytesMax: number,
  toJson: (content: MessageContent) => Json,
): Json {
  for (let fitted = content; ; fitted = cutOnce(fitted)) {
    const json = toJson(fitted);
    if (bytesOf(json) <= bytesMax || isEmpty(fitted)) return json;
  }
}

const bytesOf = (json: unknown): number => new TextEncoder().encode(JSON.stringify(json)).byteLength;

const isEmpty = ({ subject, text, tables, links }: MessageContent): boolean =>
  tables.length === 0 && links.length === 0 && text === "" && subject.length <= SUBJECT_CHARACTERS_KEPT;

const SUBJECT_CHARACTERS_KEPT = 100;

function cutOnce(content: MessageContent): MessageContent {
  const { subject, text, tables, links } = content;
  if (tables.some(({ rows }) => rows.length > 0))
    return { ...content, tables: tables.map((table) => ({ ...table, rows: firstHalf(table.rows) })) };
  if (tables.length > 0) return { ...content, tables: [] };
  if (text !== "") return { ...content, text: text.length < 2 ? "" : cutText(text, text.length >> 1) };
  if (links.length > 0) return { ...content, links: firstHalf(links) };
  return { ...content, subject: cutText(subject, SUBJECT_CHARACTERS_KEPT) };
}

const firstHalf = <Item>(items: Item[]): Item[] => items.slice(0, items.length >> 1);
