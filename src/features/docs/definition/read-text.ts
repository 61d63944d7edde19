// From text to value, and from a JSON pointer back to where it stands in the text. JSON is read as JSON, YAML as YAML 1.2.

import { isAlias, isMap, isPair, isScalar, isSeq, LineCounter, parseDocument, visit, type Document, type Node, type ParsedNode } from "yaml";
import { LIMITS } from "../../../core/limits.ts";
import { Problem, type Flaw } from "../../../core/problem.ts";

export type MediaType = "application/json" | "application/yaml";
export type ReadText = { value: unknown; locate: (flaw: Flaw) => Flaw };

type Place = { line: number; column: number };

/** Throws `validation_failed` for text that is not of its type, says a key twice, or grows without bound. */
export function readText(text: string, mediaType: MediaType): ReadText {
  refuseDepth(text);
  const lines = new LineCounter();
  // YAML is a superset of JSON, so one reader tells positions for both. No merge keys, no tags of ours: plain data.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, strict: true, uniqueKeys: false, logLevel: "error" });
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const isJson = mediaType === "application/json";
  const json = isJson ? parseJson(text, placeAt) : undefined;
  const wrong = isJson ? [] : document.errors.map(({ message, pos }) => ({ message: tell(message), offset: pos[0] }));
  const flaws = [...wrong, ...findBadKeys(document), ...findLooseAliases(document)].slice(0, FLAWS_MAX);
  if (flaws.length > 0) refuse(flaws.map(({ message, offset }) => ({ pointer: "", message, ...placeAt(offset) })));
  const value = isJson ? json : plain(document);
  refuseUnsaid(value);
  return {
    value,
    locate: (flaw) => {
      const offset = findOffset(document, flaw.pointer);
      return offset === undefined ? flaw : { ...flaw, ...placeAt(offset) };
    },
  };
}

const FLAWS_MAX = 20;
/** The reader catches its own overflow, and knows of a function of its own that nobody here can call. */
function tell(text: string): string {
  if (text.startsWith("Maximum call stack")) return `It nests deeper than ${LIMITS.docDepthMax} levels.`;
  const [said = ""] = text.split("; please use");
  return /[.!?]$/.test(said) ? said : `${said}.`;
}

function refuse(flaws: Flaw[]): never {
  const [first] = flaws;
  const where = first?.line === undefined ? "" : ` Line ${first.line}, column ${first.column}.`;
  throw new Problem("validation_failed", `The definition can't be read: ${first?.message ?? ""}${where}`, flaws);
}

/** The engine's message names the position in one of two ways; neither is passed on. */
function parseJson(text: string, placeAt: (offset: number) => Place): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const [, position] = /at position (\d+)/.exec(String(error)) ?? [];
    return refuse([{ pointer: "", message: "This is not valid JSON.", ...placeAt(position === undefined ? text.length : Number(position)) }]);
  }
}

/** Aliases are written out, but only so far. */
function plain(document: Document.Parsed): unknown {
  try {
    return document.toJS({ maxAliasCount: LIMITS.docAliasesMax });
  } catch (error) {
    return refuse([{ pointer: "", message: error instanceof ReferenceError ? "Its aliases write out to too much." : "It can't be written out as plain data." }]);
  }
}

/** What JSON can't say back: circles of aliases, sets, bytes, numbers that are none. And depth, of which others have less to spare. */
function refuseUnsaid(whole: unknown): void {
  const above = new Set<object>();
  let values = 0;
  const look = (value: unknown): void => {
    if (++values > LIMITS.bodyValuesMax) refuse([{ pointer: "", message: `It holds more than ${LIMITS.bodyValuesMax} values.` }]);
    if (typeof value === "number" && !Number.isFinite(value)) refuse([{ pointer: "", message: "It has a number that is not finite." }]);
    if (typeof value !== "object" || value === null) return;
    if (above.has(value)) refuse([{ pointer: "", message: "It contains itself." }]);
    if (above.size === LIMITS.docDepthMax) refuse([{ pointer: "", message: `It nests deeper than ${LIMITS.docDepthMax} levels.` }]);
    if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) refuse([{ pointer: "", message: "It has a value of a type that JSON does not have." }]);
    above.add(value);
    Object.values(value).forEach(look);
    above.delete(value);
  };
  look(whole);
}

/**
 * JSON's own reader takes the last of two without a word, and the YAML reader compares every two keys of a map.
 * `__proto__` is no name of a member to much of JavaScript, and would be dropped without a word.
 */
function findBadKeys(document: Document.Parsed): { message: string; offset: number }[] {
  const found: { message: string; offset: number }[] = [];
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<string>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        const name = String(key.value);
        const offset = key.range?.[0] ?? 0;
        if (seen.has(name)) found.push({ message: `The member ${name} is there twice.`, offset });
        if (name === "__proto__") found.push({ message: "No member can be called __proto__.", offset });
        seen.add(name);
      }
    },
  });
  return found;
}

/** Aliases of no anchor, or of one that comes later. */
function findLooseAliases(document: Document.Parsed): { message: string; offset: number }[] {
  const found: { message: string; offset: number }[] = [];
  const anchors = new Set<string>();
  visit(document, {
    Node(_, node) {
      if (isAlias(node)) {
        if (!anchors.has(node.source)) found.push({ message: `The alias *${node.source} has no anchor before it.`, offset: node.range?.[0] ?? 0 });
      } else if (node.anchor) anchors.add(node.anchor);
    },
  });
  return found;
}

/** The reader calls itself for each level, so depth is refused before it reads: brackets and indentation both count. */
function refuseDepth(text: string): void {
  if (STEEP.test(text)) refuse([{ pointer: "", message: `It nests deeper than ${LIMITS.docDepthMax} levels.` }]);
  let open = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === "[" || character === "{") open++;
    else if ((character === "]" || character === "}") && open > 0) open--;
    if (open > LIMITS.docDepthMax * BRACKETS_IN_TEXT) refuse([{ pointer: "", message: `It nests deeper than ${LIMITS.docDepthMax} levels.` }]);
  }
}

/** A line that opens level after level of lists or keys. */
const STEEP = new RegExp(`^[ \\t]*(?:[-?:][ \\t]+){${LIMITS.docDepthMax}}`, "m");

/** Code may leave brackets open in its strings and comments; so many more are let through than levels. */
const BRACKETS_IN_TEXT = 10;

/** The deepest node on the pointer's way that is there: a missing member is shown where it is missed. */
function findOffset(document: Document.Parsed, pointer: string): number | undefined {
  const steps = pointer.split("/").slice(1).map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  let node: Node | null | undefined = document.contents;
  let offset: number | undefined = (node as ParsedNode | null)?.range?.[0];
  for (const step of steps) {
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
