// An expression is atomic if it keeps its meaning wherever it is put: a name, a literal, one call, or one pair of
// parentheses.

const NAME =
  /(?:[A-Za-z_][\w$]*|"(?:[^"]|"")*"|`(?:[^`]|``)*`)(?:\.(?:[A-Za-z_][\w$]*|"(?:[^"]|"")*"|`(?:[^`]|``)*`))*/y;
const LITERAL = /\d+(?:\.\d+)?|'(?:[^']|'')*'/y;
const QUOTED = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`/y;
/** Characters that quote in one dialect and not in another. */
const AMBIGUOUS = /\\|\$\$/;
/** Words before a parenthesis that are no functions. */
const NO_FUNCTION = /^(not|exists|distinct|interval|binary|case|all|any|some|in|select)$/i;

export function isAtomic(sql: string): boolean {
  if (AMBIGUOUS.test(sql)) return false;
  const name = matchAt(NAME, sql, 0);
  const start = name?.length ?? 0;
  if (name !== undefined && start === sql.length) return true;
  if (matchAt(LITERAL, sql, 0)?.length === sql.length) return true;
  if (sql[start] !== "(" || (name !== undefined && NO_FUNCTION.test(name))) return false;
  return closingParenthesis(sql, start) === sql.length - 1;
}

/** The expression, in parentheses where it needs them; a comment at its end does not swallow the last one. */
export const standalone = (sql: string): string =>
  sql === "" || isAtomic(sql) ? sql : `(${sql}${/--|#/.test(sql) ? "\n" : ""})`;

function closingParenthesis(sql: string, open: number): number {
  let depth = 0;
  for (let at = open; at < sql.length; at++) {
    for (let text = matchAt(QUOTED, sql, at); text !== undefined; text = matchAt(QUOTED, sql, at)) at += text.length;
    if (sql.startsWith("--", at) || sql.startsWith("/*", at) || sql[at] === "#") return -1;
    if (sql[at] === "(") depth++;
    else if (sql[at] === ")" && --depth === 0) return at;
  }
  return -1;
}

function matchAt(pattern: RegExp, sql: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(sql)?.[0];
}
