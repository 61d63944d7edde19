// YAML with the offsets of its nodes. The reader's work grows with what it is shown, and a body may be shown that is
// all work: the text is cut into tokens first, which is cheap, and read only where these are few.

import {
  Composer,
  CST,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  Lexer,
  Parser,
  type Document,
  type ErrorCode,
  type Node,
  type ParsedNode,
} from "yaml";
import { mergeKeys } from "./merge-keys.ts";
import { stepsOf } from "../../../kernel/text/json-pointer.ts";
import { FLAWS_MAX, flawOfName, tooDeep, UnreadableText, type TextFlaw, type YamlReading } from "./reading.ts";

/** How much is read. */
type YamlBounds = {
  /** Reading 40,000 takes about a fifth of a second; a line `key: value` has six. */
  tokensMax: number;
  linesMax: number;
  depthMax: number;
  /** What aliases may add, as a multiple of what is written out. */
  aliasesMax: number;
  /** What is said of a text with more tokens. */
  tooLong: string;
  /** Values that merge keys may add; absent where they are fields like others. */
  mergedMax?: number;
};

/** Throws {@link UnreadableText}. Plain data only: no tags but those of JSON's types. */
export function readYaml(text: string, bounds: YamlBounds): YamlReading {
  const tokens = tokensOf(text, bounds);
  const deep = tooDeep(bounds.depthMax);
  const document = withoutOverflow(() => compose(tokens, text, deep), deep);
  const flaws = withoutOverflow(() => findFlaws(document), deep);
  if (flaws.length > 0) throw new UnreadableText(flaws);
  const read = withoutOverflow(() => plain(document, bounds.aliasesMax), deep);
  const { mergedMax } = bounds;
  const value = mergedMax === undefined ? read : withoutOverflow(() => mergeKeys(read, mergedMax), deep);
  return {
    value,
    tokens: tokens.length,
    offsetsOf: (pointers) => pointers.map((pointer) => findOffset(document, pointer)),
  };
}

const fail = (message: string, offset?: number): never => {
  throw new UnreadableText([{ message, offset }]);
};

/** The reader calls itself for each level. */
function withoutOverflow<Result>(read: () => Result, deep: string): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return fail(deep);
    throw error;
  }
}

/** `!` alone says that a value is text. */
const TAGS = new Set(["!", ...["str", "int", "float", "bool", "null", "map", "seq"].map((name) => `!!${name}`)]);
const OPENING = new Set(["flow-map-start", "flow-seq-start"]);
const CLOSING = new Set(["flow-map-end", "flow-seq-end"]);
/** What the lexer says about the text has no length in it. */
const WITHOUT_LENGTH = new Set(["doc-mode", "flow-error-end", "scalar"]);
/** Each opens a level; outside brackets a line may have many. */
const INDICATORS = new Set(["seq-item-ind", "explicit-key-ind", "map-value-ind"]);
const TAG_CHARACTERS_SHOWN = 100;

/**
 * The text's tokens, refused where there are many, where they nest deep, or where one is a tag that is not of plain
 * data.
 */
function tokensOf(text: string, { tokensMax, linesMax, depthMax, tooLong }: YamlBounds): string[] {
  if (hasLinesBeyond(text, linesMax))
    fail(`It has more than ${linesMax} lines, which is as much as can be read of YAML.`);
  const tokens: string[] = [];
  let offset = 0;
  let open = 0;
  let inLine = 0;
  for (const token of new Lexer().lex(text)) {
    const type = CST.tokenType(token);
    if (tokens.push(token) > tokensMax) fail(tooLong, offset);
    if (type === "newline") inLine = 0;
    else if (OPENING.has(type!)) open++;
    else if (CLOSING.has(type!)) open = Math.max(0, open - 1);
    else if (INDICATORS.has(type!) && open === 0) inLine++;
    if (open > depthMax || inLine > depthMax) fail(tooDeep(depthMax), offset);
    if (type === "tag" && !TAGS.has(token))
      fail(`The tag ${token.slice(0, TAG_CHARACTERS_SHOWN)} can't be used: a definition is plain data.`, offset);
    if (type === "directive-line" && !/^%YAML\s/.test(token))
      fail(`The directive ${token.slice(0, TAG_CHARACTERS_SHOWN)} can't be used: a definition is plain data.`, offset);
    if (!WITHOUT_LENGTH.has(type!)) offset += token.length;
  }
  return tokens;
}

function hasLinesBeyond(text: string, linesMax: number): boolean {
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0 && lines <= linesMax; at = text.indexOf("\n", at + 1)) lines++;
  return lines > linesMax;
}

/** The reader goes on after an error, at some cost for each; here it stops at the last that will be reported. */
function compose(tokens: readonly string[], text: string, deep: string): Document.Parsed {
  const flaws: TextFlaw[] = [];
  let isLost = false;
  const note = (offset: number, message: string): void => {
    if (isLost) return;
    flaws.push({ offset, message: rewriteError(message, deep) });
    if (flaws.length >= FLAWS_MAX) throw new UnreadableText(flaws);
  };
  const composer = new Composer({ prettyErrors: false, strict: true, uniqueKeys: false, logLevel: "error" });
  Object.assign(composer, {
    onError: (source: Source, code: ErrorCode, message: string, isWarning?: boolean) => {
      if (isWarning) return;
      const offset = offsetOf(source);
      const isUnquoted = code === "UNEXPECTED_TOKEN" && isAfterMap(text, offset);
      const isBlock = code === "MISSING_CHAR" && typeof source === "number" && !isInBrackets(tokens, offset);
      const lineInItem = isBlock ? lineWithoutDash(text, offset) : undefined;
      if (lineInItem === undefined) note(offset, isUnquoted ? QUOTES_MISSED : message);
      else note(lineInItem, DASH_OR_INDENT_MISSED);
      // All that follows would be a flaw of its own.
      isLost ||= isUnquoted;
    },
  });
  const [document, second] = composer.compose(noted(tokens, note), true, text.length) as Iterable<Document.Parsed>;
  if (second) note(second.range[0], "It holds more than one document.");
  for (const { pos, message } of document!.errors) note(pos[0], message);
  if (flaws.length > 0) throw new UnreadableText(flaws.sort((a, b) => a.offset! - b.offset!));
  return document!;
}

const QUOTES_MISSED = "A value that begins with { or [ and goes on behind } or ] is text: put all of it in quotes.";

/** Whether text goes on where a map or a list in brackets has ended. */
const isAfterMap = (text: string, offset: number): boolean =>
  /[}\]][ \t]*$/.test(text.slice(Math.max(0, offset - BLANKS_MAX), offset)) && /[^\s,:}\]]/.test(text[offset] ?? "");
const BLANKS_MAX = 20;

const DASH_OR_INDENT_MISSED =
  "This line is neither an item, which begins with a - below the one above it, nor a field of the item above, which " +
  "begins below the item's first field.";

/** The first word behind an offset in a line's indentation, be it in a later line; undefined for other offsets. */
function lineWithoutDash(text: string, offset: number): number | undefined {
  LINE_OF_TEXT.lastIndex = text.lastIndexOf("\n", offset - 1) + 1;
  if (/[^ ]/.test(text.slice(LINE_OF_TEXT.lastIndex, offset))) return undefined;
  return LINE_OF_TEXT.test(text) ? LINE_OF_TEXT.lastIndex : undefined;
}

const LINE_OF_TEXT = /(?: *(?:#[^\n]*)?\r?\n)* +(?=[^\s#-])/y;

function isInBrackets(tokens: readonly string[], offset: number): boolean {
  let open = 0;
  let at = 0;
  for (const token of tokens) {
    if (at >= offset) break;
    const type = CST.tokenType(token)!;
    if (OPENING.has(type)) open++;
    else if (CLOSING.has(type)) open = Math.max(0, open - 1);
    if (!WITHOUT_LENGTH.has(type)) at += token.length;
  }
  return open > 0;
}

type Source = number | [number, ...number[]] | { offset: number };
const offsetOf = (source: Source): number =>
  typeof source === "number" ? source : Array.isArray(source) ? source[0] : source.offset;

function* noted(tokens: readonly string[], note: (offset: number, message: string) => void): Generator<CST.Token> {
  const parser = new Parser();
  for (const token of tokens) yield* withErrors(parser.next(token), note);
  yield* withErrors(parser.end(), note);
}

function* withErrors(
  tokens: Iterable<CST.Token>,
  note: (offset: number, message: string) => void,
): Generator<CST.Token> {
  for (const token of tokens) {
    if (token.type === "error") note(token.offset, token.message);
    else yield token;
  }
}

/** The reader catches its own overflow, and knows of a function of its own that nobody here can call. */
function rewriteError(text: string, deep: string): string {
  if (text.startsWith("Maximum call stack")) return deep;
  const [said = ""] = text.split("; please use");
  return /[.!?]$/.test(said) ? said : `${said}.`;
}

/** Aliases are written out, but only so far. */
function plain(document: Document.Parsed, aliasesMax: number): unknown {
  try {
    return document.toJS({ maxAliasCount: aliasesMax });
  } catch (error) {
    if (error instanceof RangeError) throw error;
    return fail(
      error instanceof ReferenceError ? "Its aliases write out to too much." : "It can't be written out as plain data.",
    );
  }
}

/** Names that an object has twice or can't have; aliases of no anchor, or of one that comes later. */
function findFlaws(document: Document.Parsed): TextFlaw[] {
  const found: TextFlaw[] = [];
  const anchors = new Set<string>();
  const look = (node: unknown): void => {
    if (isAlias(node)) {
      if (!anchors.has(node.source))
        found.push({ message: `The alias *${node.source} has no anchor before it.`, offset: node.range?.[0] ?? 0 });
      return;
    }
    if (!isNode(node)) return;
    if (node.anchor) anchors.add(node.anchor);
    if (isSeq(node)) for (const item of node.items) look(item);
    if (!isMap(node)) return;
    const seen = new Set<string>();
    for (const { key, value } of node.items) {
      const message = isScalar(key) ? flawOfName(String(key.value), seen) : undefined;
      if (message !== undefined) found.push({ message, offset: (key as ParsedNode).range?.[0] ?? 0 });
      look(key);
      look(value);
    }
  };
  look(document.contents);
  return found;
}

/** The offset of the deepest node along the pointer that is there. */
function findOffset(document: Document.Parsed, pointer: string): number | undefined {
  let node: Node | null | undefined = document.contents;
  let offset: number | undefined = (node as ParsedNode | null)?.range?.[0];
  for (const step of stepsOf(pointer)) {
    if (isMap(node)) {
      const pair = node.items.find((item) => isPair(item) && isScalar(item.key) && String(item.key.value) === step);
      if (!pair) break;
      offset = (pair.key as ParsedNode).range[0];
      node = pair.value as Node | null;
    } else if (isSeq(node)) {
      const item: unknown = node.items[Number(step)];
      if (!item) break;
      node = item as Node;
      offset = (node as ParsedNode).range?.[0] ?? offset;
    } else break;
  }
  return offset;
}
