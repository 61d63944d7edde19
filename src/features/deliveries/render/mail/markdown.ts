// A small part of Markdown as HTML: headings, lists, quotes, code, bold, italic and links. All else is text, HTML too.

import { RENDER_BOUNDS } from "../bounds.ts";
import { escapeHtml, linkTarget } from "./escape.ts";
import { styled } from "./styles.ts";

const HEADING = /^#{1,6} +(.*)$/;
const ITEM = /^ {0,6}[-*+] +(.*)$/;
const NUMBERED = /^ {0,6}\d{1,9}[.)] +(.*)$/;
const QUOTE = /^> ?(.*)$/;
const RULE = /^(-{3,}|\*{3,}|_{3,})\s*$/;
const FENCE = /^```/;

type Block = { kind: "paragraph" | "quote" | "list" | "numbered" | "code"; lines: string[] };

/** A text that is too long ends with "…". */
export function markdownHtml(markdown: string): string {
  const max = RENDER_BOUNDS.markdownCharactersMax;
  const text = markdown.length > max ? `${markdown.slice(0, max)}…` : markdown;
  const out: string[] = [];
  let block: Block | undefined;
  const close = () => {
    if (block) out.push(blockHtml(block));
    block = undefined;
  };
  const add = (kind: Block["kind"], line: string) => {
    if (block?.kind !== kind) {
      close();
      block = { kind, lines: [] };
    }
    block!.lines.push(line);
  };
  let isFenced = false;
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (FENCE.test(line)) {
      close();
      isFenced = !isFenced;
    } else if (isFenced) add("code", line);
    else if (line.trim() === "") close();
    else if (RULE.test(line)) {
      close();
      out.push("<hr>");
    } else {
      const heading = HEADING.exec(line)?.[1];
      if (heading === undefined) add(...lineOf(line));
      else {
        close();
        out.push(`<h3 ${styled("heading")}>${inlineHtml(heading)}</h3>`);
      }
    }
  }
  close();
  return out.join("\n");
}

function lineOf(line: string): [Block["kind"], string] {
  const kinds = [
    ["list", ITEM],
    ["numbered", NUMBERED],
    ["quote", QUOTE],
  ] as const;
  for (const [kind, pattern] of kinds) {
    const found = pattern.exec(line)?.[1];
    if (found !== undefined) return [kind, found];
  }
  return ["paragraph", line];
}

function blockHtml({ kind, lines }: Block): string {
  const items = () => lines.map((line) => `<li>${inlineHtml(line)}</li>`).join("");
  switch (kind) {
    case "paragraph":
      return `<p ${styled("text")}>${lines.map(inlineHtml).join("<br>")}</p>`;
    case "quote":
      return `<blockquote ${styled("quote")}><p ${styled("text")}>${lines.map(inlineHtml).join("<br>")}</p></blockquote>`;
    case "list":
      return `<ul ${styled("text")}>${items()}</ul>`;
    case "numbered":
      return `<ol ${styled("text")}>${items()}</ol>`;
    case "code":
      return `<pre ${styled("text", "white-space:pre-wrap")}><code ${styled("code")}>${escapeHtml(lines.join("\n"))}</code></pre>`;
  }
}

const CODE_SPAN = /(`[^`]+`)/;
const LINK = /\[([^[\]]{1,500})\]\(([^\s()]{1,2000})\)/g;

/** Escapes first: what is made of markup afterwards is this function's own. */
function inlineHtml(line: string): string {
  return line
    .split(CODE_SPAN)
    .map((part, i) =>
      i % 2 === 1 ? `<code ${styled("code")}>${escapeHtml(part.slice(1, -1))}</code>` : emphasis(escapeHtml(part)),
    )
    .join("");
}

const emphasis = (html: string): string =>
  html
    .split(LINK)
    .map((part, i, parts) => {
      if (i % 3 === 0) return strong(part);
      if (i % 3 === 1) return "";
      const text = parts[i - 1]!;
      return linkTarget(part) ? `<a ${styled("link")} href="${part}">${strong(text)}</a>` : `${strong(text)} (${part})`;
    })
    .join("");

const strong = (html: string): string =>
  html
    .replace(/\*\*([^*]{1,1000})\*\*/g, "<strong>$1</strong>")
    .replace(/(?<![\w*])[*_]([^*_\s][^*_]{0,1000})[*_](?![\w*])/g, "<em>$1</em>");
