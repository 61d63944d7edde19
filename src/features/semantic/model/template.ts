// SQL in Cube's YAML is a template: `{name}` refers to something of the model, a backslash escapes. Cube makes code of
// it, and our engine none; what is not plainly one of these is refused before either could take it for something else.

/** Text stands as the SQL that it becomes; `reference` is what stood in braces. */
export type Part = { text: string } | { reference: string };
export type Template = { parts: Part[]; flaw?: undefined } | { flaw: string; parts?: undefined };

const REFERENCE = /^[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*$/;
export const isReference = (text: string): boolean => REFERENCE.test(text);

const TOKEN = /\\\\(?![{}])|\\[{}]|\{[^{}\\]*\}|[^\\{}]+/y;
/** Cube takes all of these for a template of Jinja, wherever they stand. */
const JINJA = /\{[{%#]|[%#}]\}/;
const ROLES = "who sees what is for the team's roles to say.";
const FILTERS = "filters are put into a query where Fjord writes its SQL.";
const NOT_HERE: Readonly<Record<string, string>> = {
  FILTER_PARAMS: FILTERS,
  FILTER_GROUP: FILTERS,
  SECURITY_CONTEXT: ROLES,
  COMPILE_CONTEXT: ROLES,
  USER_CONTEXT: ROLES,
  SQL_UTILS: "{time.day} and the other granularities of a time are on the clock of the query's zone.",
};
const CONTEXT = new RegExp(`\\b(?:${Object.keys(NOT_HERE).join("|")})\\b`);
/** The compiler's text for a bound value. */
const BOUND_VALUE = /\$\d+\$/;

export function readTemplate(text: string): Template {
  const parts: Part[] = [];
  const flaw = flawOfWhole(text);
  if (flaw !== undefined) return { flaw };
  const pattern = new RegExp(TOKEN);
  for (let at = 0; at < text.length; at = pattern.lastIndex) {
    const [token] = pattern.exec(text) ?? [];
    if (token === undefined) return { flaw: flawAt(text, at) };
    if (token.startsWith("{")) {
      const reference = token.slice(1, -1);
      if (!isReference(reference)) return { flaw: flawOfReference(reference) };
      parts.push({ reference });
    } else {
      const written = token.startsWith("\\") ? token.slice(1) : token;
      const last = parts.at(-1);
      if (last && "text" in last) last.text += written;
      else parts.push({ text: written });
    }
  }
  return { parts };
}

function flawOfWhole(text: string): string | undefined {
  const [context] = CONTEXT.exec(text) ?? [];
  if (context !== undefined) return `${context} can't be used: ${NOT_HERE[context]!}`;
  if (/\$\\?\{/.test(text)) return "A reference is {name}, without a dollar sign.";
  if (JINJA.test(text)) return "Templates of Jinja are not run here: write what they would make.";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ue000]/.test(text)) return "It has a control character.";
  if (BOUND_VALUE.test(text)) return `${BOUND_VALUE.exec(text)![0]} can't be used: it stands for a bound value.`;
  return undefined;
}

const flawAt = (text: string, at: number): string =>
  text[at] === "\\"
    ? "A backslash is written twice; \\{ and \\} are braces that are no reference."
    : "A brace is no reference and not escaped: write {name}, or \\{ and \\} for braces as such.";

const flawOfReference = (reference: string): string =>
  `{${shorten(reference)}} is no reference: in braces there can only be names with dots between them, as {CUBE}, ` +
  "{member}, {cube.member} or {time.granularity}.";

const QUOTED_CHARACTERS_MAX = 80;
export const shorten = (text: string): string =>
  text.length > QUOTED_CHARACTERS_MAX ? `${text.slice(0, QUOTED_CHARACTERS_MAX)}…` : text;
