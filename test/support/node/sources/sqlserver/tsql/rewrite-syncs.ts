// A sync's statements are rewritten where DuckDB spells them otherwise: change tracking, sums and parts of bytes, parts
// of dates, collations, hints.

import { changesOf } from "./change-tracking.ts";
import { nameOf, type Token } from "./tokenize.ts";

const raw = (text: string): Token => ({ kind: "word", text });
const isWord = (token: Token | undefined, ...words: string[]): boolean =>
  token?.kind === "word" && words.includes(token.text.toUpperCase());
const isSymbol = (token: Token | undefined, text: string): boolean => token?.kind === "symbol" && token.text === text;

/** Without spaces. */
export function exchangeForSyncs(tokens: readonly Token[]): Token[] {
  const result: Token[] = [];
  /** The numbers that assign rows to partitions are whole. */
  const isWhole = tokens.some(({ text }) => text === "fjord_partition");
  for (let i = 0; i < tokens.length; i++) {
    const [token, next, afterNext] = [tokens[i]!, tokens[i + 1], tokens[i + 2]];
    if (isWord(token, "CHANGETABLE")) {
      // CHANGETABLE ( CHANGES [schema] . [name] , version )
      const [schema, name, version] = [tokens[i + 3]!, tokens[i + 5]!, tokens[i + 7]!];
      const from = changesOf(nameOf(schema.text), nameOf(name.text));
      result.push(raw(`(FROM ${from} WHERE sys_change_version > ${version.text})`));
      i += 8;
    } else if (isWord(token, "DATEDIFF", "DATEDIFF_BIG") && isSymbol(next, "(")) {
      result.push(token, next!, { kind: "text", text: `'${afterNext!.text}'` });
      i += 2;
    } else if (isWord(token, "COLLATE")) i += 1;
    else if (isWord(token, "WITH") && isSymbol(next, "(") && isWord(afterNext, "SNAPSHOT")) i += 3;
    else if (isWord(token, "COUNT_BIG")) result.push(raw("COUNT"));
    else if (isWord(token, "SUBSTRING") && afterNext?.text.startsWith("fjord_")) result.push(raw("tsql_bytes"));
    else if (isWhole && isSymbol(token, "/")) result.push({ kind: "symbol", text: "//" });
    else result.push(token);
  }
  return result;
}
