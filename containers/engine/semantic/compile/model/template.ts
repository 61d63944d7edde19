// Text with references in braces, as the function that Cube's evaluators take for it. Cube turns such text into source
// code and runs that; here nothing of a model is ever code.

/** A flaw in one place of a model, in words for its author. */
export class ModelError extends Error {}

/** Whether every object inherits a property of this name, which Cube would take for a member of a model. */
export const isInherited = (name: string): boolean => name in Object.prototype || name === "prototype";

/** A text in a model for which Cube's evaluators expect a function of the symbols that it names. */
export interface Referring {
  /** The function, whose arguments are those of its first names that mean something here. */
  bind(isKnown: (name: string) => boolean): (...values: unknown[]) => unknown;
}

const REFERENCE = /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/;
const REFERENCE_CHARACTERS_MAX = 1_000;
/** Characters of one SQL text with all that it refers to. References to references grow with each step. */
const SQL_CHARACTERS_MAX = 100_000;
/** Cube's marker for the place of a value, used until the whole query is there. */
const PLACE_OF_VALUE = /\$\d+\$|\$\d*$|^\d*\$/;
/** Pieces of SQL: comments, texts and quoted names that end at the same place on every database, and all else. */
const PIECE = new RegExp(
  [
    String.raw`--(?:[ \t][^\n\r]*)?(?:[\n\r]|$)|\/\*(?![!+])(?:(?!\*\/|\/\*)[^])*\*\/`,
    String.raw`(['"])(?:(?!\1)[^\\]|\1\1|\\+(?!['"\\]))*\1|${"`[^`$?]*`"}`,
    String.raw`--|\/\*|[^]`,
  ].join("|"),
  "g",
);
/** Pieces that do not end at the same place on every database. */
const UNCLEAR = ["'", '"', "`", "\\", "--", "/*"];
/** Escapes in a text of Cube's YAML that mean what is written, or one character. */
const ESCAPES: Record<string, string> = {
  "{": "{",
  "}": "}",
  "\\": "\\",
  "'": "'",
  n: "\n",
  r: "\r",
  t: "\t",
  b: "\b",
  f: "\f",
  v: "\v",
};

/** A name with members behind it: `orders`, `orders.customers.country`. */
export class Reference implements Referring {
  readonly root: string;
  readonly text: string;
  readonly #path: readonly string[];

  /** Throws a {@link ModelError} for what is none, or names what every object has. */
  constructor(text: string) {
    const names = text.length <= REFERENCE_CHARACTERS_MAX && REFERENCE.test(text) ? text.split(".") : [];
    const [root, ...path] = names;
    if (root === undefined)
      throw new ModelError(`{${text.slice(0, 100)}} is no reference: write {name} or {name.name}`);
    const inherited = names.find(isInherited);
    if (inherited !== undefined) throw new ModelError(`{${text}} is no reference: nothing may be called ${inherited}`);
    this.root = root;
    this.text = text;
    this.#path = path;
  }

  bind(isKnown: (name: string) => boolean): (...values: unknown[]) => unknown {
    return functionOf(this.text, [this], isKnown, (valueOf) => valueOf(this));
  }

  /** The value of the reference, where its first name means `value`. */
  follow(value: unknown): unknown {
    return this.#path.reduce((object, name) => (object as Record<string, unknown>)[name], value);
  }
}

/** A list of references. */
export class References implements Referring {
  readonly #references: Reference[];

  constructor(texts: readonly string[]) {
    this.#references = texts.map((text) => new Reference(text));
  }

  bind(isKnown: (name: string) => boolean): (...values: unknown[]) => unknown {
    const text = this.#references.map((reference) => reference.text).join(", ");
    return functionOf(text, this.#references, isKnown, (valueOf) => this.#references.map(valueOf));
  }
}

/** SQL with references in braces; `\{` and `\}` are braces. */
export class Template implements Referring {
  readonly #text: string;
  readonly #parts: readonly (string | Reference)[];

  /** Throws a {@link ModelError} for what Cube would read as code, or would read otherwise than it is written. */
  constructor(text: string) {
    this.#text = text;
    this.#parts = readParts(text);
  }

  bind(isKnown: (name: string) => boolean): (...values: unknown[]) => unknown {
    const references = this.#parts.filter((part) => part instanceof Reference);
    return functionOf(this.#text, references, isKnown, (valueOf) =>
      // A symbol becomes text when it is asked for its SQL, one after the other.
      this.#parts.reduce<string>(
        (sql, part) => bounded(sql + (part instanceof Reference ? `${valueOf(part)}` : part)),
        "",
      ),
    );
  }
}

function bounded(sql: string): string {
  if (sql.length > SQL_CHARACTERS_MAX)
    throw new ModelError(
      `A member becomes more than ${SQL_CHARACTERS_MAX} characters of SQL with all that it refers to.`,
    );
  return sql;
}

function readParts(given: string): (string | Reference)[] {
  const text = given.replace(/\r\n?/g, "\n");
  if (text.trim() === "") throw new ModelError("it is empty");
  const parts: (string | Reference)[] = [];
  let plain = "";
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (character === "\\") plain += readEscape(text[++at], text[at + 1]);
    else if (character === "}") throw new ModelError("it has a } without its {: write \\} where it is text");
    else if (character === "{") {
      const end = text.indexOf("}", at);
      if (end < 0) throw new ModelError("it has a { without its }: write \\{ where it is text");
      parts.push(plain, new Reference(text.slice(at + 1, end)));
      plain = "";
      at = end;
    } else plain += character;
  }
  parts.push(plain);
  if (parts.some((part) => typeof part === "string" && PLACE_OF_VALUE.test(part)))
    throw new ModelError("it has a $ where Cube would put a value: set blanks beside it");
  refusePlaces(parts.map((part) => (typeof part === "string" ? part : "r")).join(""));
  return parts.filter((part) => part !== "");
}

/** A model's own `$1` or `?` would take what a query compares with, or be compared with what is meant for another. */
function refusePlaces(sql: string): void {
  if (!/[$?]/.test(sql)) return;
  let isUnclear = false;
  for (const [piece] of sql.matchAll(PIECE)) {
    isUnclear ||= UNCLEAR.includes(piece);
    if (isUnclear ? /[$?]/.test(piece) : piece === "$" || piece === "?")
      throw new ModelError(`it has a ${piece.trim()} outside of quotes, which would be taken for a bound value`);
  }
}

function readEscape(character: string | undefined, next: string | undefined): string {
  const meant = character === undefined ? undefined : ESCAPES[character];
  if (meant === undefined)
    throw new ModelError(`it has \\${character ?? ""}, where Cube would lose the backslash: write \\\\ for each one`);
  if (meant === "\\" && (next === "{" || next === "}"))
    throw new ModelError(`it has \\\\${next}, which may be read as a backslash and a reference, or as text`);
  return meant;
}
/**
 * Cube's evaluators read a function's arguments from its text, and give each the symbol of that name. A name that means
 * nothing is no argument, and is missed when its value is asked for.
 */
function functionOf(
  written: string,
  references: readonly Reference[],
  isKnown: (name: string) => boolean,
  evaluate: (valueOf: (reference: Reference) => unknown) => unknown,
): (...values: unknown[]) => unknown {
  const names = [...new Set(references.map(({ root }) => root))].filter(isKnown);
  // Cube keeps what it finds out about a function by this text: those that differ need texts that do.
  const text = `(${names.join(", ")}) => ${JSON.stringify(written)}`;
  const ask = (...values: unknown[]): unknown =>
    evaluate((reference) => {
      const index = names.indexOf(reference.root);
      if (index < 0) throw new ReferenceError(`${reference.root} is not defined`);
      return reference.follow(values[index]);
    });
  return Object.defineProperty(ask, "toString", { value: () => text });
}
