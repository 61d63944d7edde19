// JSON with the offsets of its members. The engine's own reader makes the value; this looks for what it takes without a
// word.

import { stepsOf } from "../../../../kernel/text/json-pointer.ts";
import { flawOfName, UnreadableText, type Reading, type TextFlaw } from "../../../core/text/reading.ts";

/** Throws {@link UnreadableText}. */
export function readJson(text: string): Reading {
  const value = parse(text);
  const flaws: TextFlaw[] = [];
  const names: Set<string>[] = [];
  walk(
    text,
    (path, offset, isMember) => {
      if (!isMember) return;
      // The first member of an object comes after whatever was seen at its depth before.
      const message = flawOfName(String(path.at(-1)), (names[path.length] ??= new Set()));
      if (message !== undefined) flaws.push({ message, offset });
    },
    (depth) => void delete names[depth],
  );
  if (flaws.length > 0) throw new UnreadableText(flaws);
  return { value, offsetsOf: (pointers) => findOffsets(text, pointers) };
}

/** The engine's message names the position in one of two ways; neither is passed on. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const [, position] = /at position (\d+)/.exec(String(error)) ?? [];
    throw new UnreadableText([
      { message: "This is not valid JSON.", offset: position === undefined ? text.length : Number(position) },
    ]);
  }
}

function findOffsets(text: string, pointers: readonly string[]): number[] {
  const start = text.search(/\S/);
  const wanted = new Map<string, number>();
  for (const pointer of pointers) {
    const steps = stepsOf(pointer);
    steps.forEach((_, i) => wanted.set(JSON.stringify(steps.slice(0, i + 1)), start));
  }
  const lastSteps = new Set(pointers.flatMap(stepsOf));
  walk(text, (path, offset) => {
    if (!lastSteps.has(String(path.at(-1)))) return;
    const key = JSON.stringify(path.map(String));
    if (wanted.has(key)) wanted.set(key, offset);
  });
  return pointers.map((pointer) => {
    const steps = stepsOf(pointer);
    while (steps.length > 0 && wanted.get(JSON.stringify(steps)) === start) steps.pop();
    return wanted.get(JSON.stringify(steps)) ?? start;
  });
}

type Frame = { isObject: boolean; step: string | number; expectsName: boolean };

/**
 * Calls `see` for every member, with the offset of its name, and for every item, with its own. `path` is changed by the
 * next call: copy it to keep it. `leave` is called when an object ends, with the depth that its members had. `text` is
 * valid JSON.
 */
function walk(
  text: string,
  see: (path: readonly (string | number)[], offset: number, isMember: boolean) => void,
  leave?: (depth: number) => void,
): void {
  const open: Frame[] = [];
  const path: (string | number)[] = [];
  const begin = (offset: number): void => {
    const frame = open.at(-1);
    if (!frame || frame.isObject) return;
    path[path.length - 1] = frame.step;
    see(path, offset, false);
  };
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    const frame = open.at(-1);
    if (character === "{" || character === "[") {
      begin(at);
      open.push({ isObject: character === "{", step: 0, expectsName: character === "{" });
      path.push(0);
    } else if (character === "}" || character === "]") {
      leave?.(path.length);
      open.pop();
      path.pop();
    } else if (character === ",") {
      frame!.expectsName = frame!.isObject;
      if (!frame!.isObject) frame!.step = Number(frame!.step) + 1;
    } else if (character === '"') {
      const end = stringEnd(text, at);
      if (frame?.expectsName) {
        path[path.length - 1] = JSON.parse(text.slice(at, end)) as string;
        frame.expectsName = false;
        see(path, at, true);
      } else begin(at);
      at = end - 1;
    } else if (character > " " && character !== ":") {
      begin(at);
      while (at + 1 < text.length && /[\w.+-]/.test(text[at + 1]!)) at++;
    }
  }
}

function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}
