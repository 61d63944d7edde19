// T-SQL's tokens, as far as the fake has to know them.

export type Token = {
  kind: "word" | "name" | "text" | "bytes" | "number" | "variable" | "symbol" | "space";
  text: string;
};

const PATTERN = new RegExp(
  [
    String.raw`(?<space>\s+|--[^\n]*|/\*[\s\S]*?\*/)`,
    `(?<text>N?'(?:[^']|'')*')`,
    String.raw`(?<name>\[(?:[^\]]|\]\])*\]|"(?:[^"]|"")*")`,
    `(?<bytes>0x[0-9a-f]*)`,
    String.raw`(?<number>\d+(?:\.\d+)?(?:e[+\-]?\d+)?)`,
    String.raw`(?<variable>@@?\w+)`,
    String.raw`(?<word>[\p{L}_#][\p{L}\p{N}_#$@]*)`,
    String.raw`(?<symbol><>|<=|>=|!=|[\s\S])`,
  ].join("|"),
  "giuy",
);

export function tokenize(sql: string): Token[] {
  const tokens: Token[] = [];
  for (const { groups } of sql.matchAll(PATTERN)) {
    const [kind, text] = Object.entries(groups!).find(([, value]) => value !== undefined)!;
    tokens.push({ kind: kind as Token["kind"], text: text! });
  }
  return tokens;
}

/** The statements of a batch, which semicolons stand between. */
export function splitBatch(sql: string): string[] {
  const statements = [""];
  for (const { kind, text } of tokenize(sql)) {
    if (kind === "symbol" && text === ";") statements.push("");
    else statements[statements.length - 1] += text;
  }
  return statements.filter((statement) => statement.trim() !== "");
}

/** A name without what it stands in. */
export const nameOf = (text: string): string =>
  text.startsWith("[")
    ? text.slice(1, -1).replaceAll("]]", "]")
    : text.startsWith('"')
      ? text.slice(1, -1).replaceAll('""', '"')
      : text;
