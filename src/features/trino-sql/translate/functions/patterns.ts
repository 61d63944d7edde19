// Regular expressions that mean the same in Trino and in DuckDB. Trino's know more, and differ in places: its `$` is
// before a last newline too, its `\\s` knows the vertical tab, and a match may be empty in other places.

import { unsupported } from "../../refusal.ts";

/** `isCertain` says of each group whether it has a value in every match. */
export type Pattern = { sql: string; isCertain: boolean[]; canBeEmpty: boolean; isOfEnd: boolean };

const REPETITIONS_MAX = 200;
const QUANTIFIER_SIGNS_MAX = "{100,200}".length;
const CHARACTERS_MAX = 1_000;
const SPACES = "\\t\\n\\x0b\\f\\r ";
const CLASSES: Record<string, string> = {
  ...{ d: "[0-9]", D: "[^0-9]", w: "[0-9A-Za-z_]", W: "[^0-9A-Za-z_]" },
  ...{ s: `[${SPACES}]`, S: `[^${SPACES}]`, n: "\\n", t: "\\t", r: "\\r" },
};
const WITHIN: Record<string, string> = { ...{ d: "0-9", w: "0-9A-Za-z_", s: SPACES, n: "\\n", t: "\\t", r: "\\r" } };
const PUNCTUATION = /[!-/:-@[-`{-~]/;

/** Throws a {@link Refusal} at `at` for what is not proven to match the same. */
export function readPattern(text: string, at: number): Pattern {
  if (text.length > CHARACTERS_MAX) throw unsupported(`A regular expression of over ${CHARACTERS_MAX} characters`, at);
  const reader = new PatternReader(text, at);
  const { sql, canBeEmpty } = reader.alternatives(0);
  if (!reader.isAtEnd) throw reader.refusal();
  return { sql: `(?-s)${sql}`, isCertain: reader.isCertain, canBeEmpty, isOfEnd: reader.isOfEnd };
}

type Part = { sql: string; canBeEmpty: boolean };
const DEPTH_MAX = 20;

class PatternReader {
  readonly #signs: string[];
  readonly #at: number;
  #next = 0;
  readonly isCertain: boolean[] = [];
  isOfEnd = false;

  constructor(text: string, at: number) {
    this.#signs = [...text];
    this.#at = at;
  }

  get isAtEnd(): boolean {
    return this.#next >= this.#signs.length;
  }

  refusal(): Error {
    const rest = this.#signs.slice(this.#next).join("").slice(0, 20);
    return unsupported(`This in a regular expression: '${rest}'`, this.#at);
  }

  #accepts(sign: string): boolean {
    if (this.#signs[this.#next] !== sign) return false;
    this.#next++;
    return true;
  }

  alternatives(depth: number): Part {
    if (depth > DEPTH_MAX) throw this.refusal();
    const groups = this.isCertain.length;
    const branches = [this.#sequence(depth)];
    while (this.#accepts("|")) branches.push(this.#sequence(depth));
    if (branches.length > 1) {
      this.isCertain.fill(false, groups);
      if (this.isOfEnd) throw this.refusal();
    }
    return { sql: branches.map(({ sql }) => sql).join("|"), canBeEmpty: branches.some(({ canBeEmpty }) => canBeEmpty) };
  }

  #sequence(depth: number): Part {
    let [sql, canBeEmpty] = ["", true];
    // An anchor has its place at the ends of the whole alone.
    if (depth === 0 && this.#next === 0 && this.#accepts("^")) sql = "^";
    while (!this.isAtEnd && !["|", ")"].includes(this.#signs[this.#next]!)) {
      if (depth === 0 && this.#next === this.#signs.length - 1 && this.#accepts("$")) {
        this.isOfEnd = true;
        return { sql: `${sql}\\n?\\z`, canBeEmpty };
      }
      const part = this.#repeated(depth);
      sql += part.sql;
      canBeEmpty &&= part.canBeEmpty;
    }
    return { sql, canBeEmpty };
  }

  #repeated(depth: number): Part {
    const groups = this.isCertain.length;
    const atom = this.#atom(depth);
    const counts = this.#quantifier();
    if (!counts) return atom;
    // How often nothing is repeated is another question to each engine.
    if (atom.canBeEmpty) throw this.refusal();
    if (counts.min === 0) this.isCertain.fill(false, groups);
    const lazy = this.#accepts("?") ? "?" : "";
    if (["+", "*", "?", "{"].includes(this.#signs[this.#next] ?? "")) throw this.refusal();
    return { sql: `${atom.sql}${counts.sql}${lazy}`, canBeEmpty: counts.min === 0 };
  }

  #quantifier(): { sql: string; min: number } | undefined {
    if (this.#accepts("*")) return { sql: "*", min: 0 };
    if (this.#accepts("+")) return { sql: "+", min: 1 };
    if (this.#accepts("?")) return { sql: "?", min: 0 };
    if (this.#signs[this.#next] !== "{") return undefined;
    const [sql, low, , high] =
      /^\{(\d{1,3})(,(\d{1,3})?)?\}/.exec(this.#signs.slice(this.#next, this.#next + QUANTIFIER_SIGNS_MAX).join("")) ??
      [];
    const [min, max] = [Number(low), Number(high ?? low)];
    if (sql === undefined || max < min || max > REPETITIONS_MAX || max === 0) throw this.refusal();
    this.#next += sql.length;
    return { sql, min };
  }

  #atom(depth: number): Part {
    const one = (sql: string): Part => ({ sql, canBeEmpty: false });
    const sign = this.#signs[this.#next]!;
    if (sign === "(") return this.#group(depth);
    if (sign === "[") return one(this.#class());
    if (sign === "\\") {
      const next = this.#signs[this.#next + 1] ?? "";
      const sql = Object.hasOwn(CLASSES, next) ? CLASSES[next]! : PUNCTUATION.test(next) ? `\\${next}` : undefined;
      if (sql === undefined) throw this.refusal();
      this.#next += 2;
      return one(sql);
    }
    if ("*+?{}^$])".includes(sign)) throw this.refusal();
    this.#next++;
    return one(sign);
  }

  #group(depth: number): Part {
    this.#next++;
    const isPlain = this.#signs[this.#next] === "?";
    if (isPlain) {
      this.#next++;
      if (!this.#accepts(":")) throw this.refusal();
    } else this.isCertain.push(true);
    const { sql, canBeEmpty } = this.alternatives(depth + 1);
    if (!this.#accepts(")")) throw this.refusal();
    return { sql: `(${isPlain ? "?:" : ""}${sql})`, canBeEmpty };
  }

  #class(): string {
    this.#next++;
    let sql = this.#accepts("^") ? "[^" : "[";
    let count = 0;
    while (!this.#accepts("]")) {
      sql += this.#range();
      count++;
    }
    if (count === 0) throw this.refusal();
    return `${sql}]`;
  }

  #range(): string {
    const isHyphen = this.#signs[this.#next] === "-";
    const first = this.#member();
    if (isHyphen && this.#signs[this.#next] !== "]") throw this.refusal();
    if (this.#signs[this.#next] !== "-" || this.#signs[this.#next + 1] === "]") return first;
    this.#next++;
    const last = this.#member();
    if (!/^[0-9A-Za-z]$/.test(first) || !/^[0-9A-Za-z]$/.test(last) || first > last) throw this.refusal();
    return `${first}-${last}`;
  }

  #member(): string {
    const sign = this.#signs[this.#next++];
    if (sign === undefined || sign === "[" || sign === "&" || sign === "^" || sign === "]") throw this.refusal();
    if (sign !== "\\") return PUNCTUATION.test(sign) ? `\\${sign}` : sign;
    const next = this.#signs[this.#next++] ?? "";
    if (Object.hasOwn(WITHIN, next)) return WITHIN[next]!;
    if (!PUNCTUATION.test(next)) throw this.refusal();
    return `\\${next}`;
  }
}
