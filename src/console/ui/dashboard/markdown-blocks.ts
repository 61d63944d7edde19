// Markdown read into blocks, and their text into parts. Pure.

export type BlockKind = "paragraph" | "heading" | "quote" | "list" | "numbered" | "code" | "rule";
export type Block = { kind: BlockKind; lines: string[] };
export type Inline = { kind: "text" | "bold" | "italic" | "code" | "link"; text: string; href?: string };

const CHARACTERS_MAX = 20_000;
/** Each takes one line, without what marks it. */
const LINES: [BlockKind, RegExp][] = [
  ["heading", /^#{1,6} +(.*)$/],
  ["rule", /^(?:-{3,}|\*{3,}|_{3,})\s*()$/],
  ["list", /^ {0,6}[-*+] +(.*)$/],
  ["numbered", /^ {0,6}\d{1,9}[.)] +(.*)$/],
  ["quote", /^> ?(.*)$/],
  ["paragraph", /^(.*)$/],
];
const ALONE: readonly BlockKind[] = ["heading", "rule"];

export function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = [];
  let open: Block | undefined;
  let isFenced = false;
  const add = (kind: BlockKind, line: string) => {
    if (open?.kind !== kind || ALONE.includes(kind)) blocks.push((open = { kind, lines: [] }));
    open.lines.push(line);
  };
  for (const line of markdown.slice(0, CHARACTERS_MAX).split(/\r\n|\n|\r/)) {
    if (line.startsWith("```")) {
      isFenced = !isFenced;
      open = undefined;
    } else if (isFenced) add("code", line);
    else if (line.trim() === "") open = undefined;
    else {
      const [kind, pattern] = LINES.find(([, one]) => one.test(line))!;
      add(kind, pattern.exec(line)![1]!);
    }
  }
  return blocks;
}

const PARTS =
  /`(?<code>[^`]+)`|\*\*(?<bold>[^*]+)\*\*|\*(?<italic>[^*\s][^*]*)\*|\[(?<label>[^\]]+)\]\((?<href>https:\/\/[^\s)]+)\)/g;

export function inlineOf(text: string): Inline[] {
  const parts: Inline[] = [];
  let from = 0;
  for (const match of text.matchAll(PARTS)) {
    if (match.index > from) parts.push({ kind: "text", text: text.slice(from, match.index) });
    const { code, bold, italic, label, href } = match.groups!;
    if (code !== undefined) parts.push({ kind: "code", text: code });
    else if (bold !== undefined) parts.push({ kind: "bold", text: bold });
    else if (italic !== undefined) parts.push({ kind: "italic", text: italic });
    else parts.push({ kind: "link", text: label!, href: href! });
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push({ kind: "text", text: text.slice(from) });
  return parts;
}
