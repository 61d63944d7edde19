// Merge keys of YAML, `<<: *common`: what an object takes over from others, but for what it says itself.

import { isObject } from "../../../kernel/text/is-object.ts";
import { UnreadableText } from "./reading.ts";

const KEY = "<<";
const TAKES_OBJECTS = "<< takes over what an object has, or several in a list: write <<: *name.";

type Fields = Record<string, unknown>;

/**
 * A value without merge keys. Aliases share what they stand for, which is merged once; `addedMax` bounds the fields
 * that are taken over. Throws {@link UnreadableText}.
 */
export function mergeKeys(whole: unknown, addedMax: number): unknown {
  const merged = new Map<object, unknown>();
  let added = 0;
  const fail = (message: string): never => {
    throw new UnreadableText([{ message }]);
  };
  const merge = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    if (merged.has(value)) return merged.get(value);
    const copy: unknown[] | Fields = Array.isArray(value) ? [] : {};
    merged.set(value, copy);
    if (Array.isArray(copy)) for (const item of value as unknown[]) copy.push(merge(item));
    else {
      for (const source of sourcesOf(value as Fields)) Object.assign(copy, source);
      for (const [name, own] of Object.entries(value)) if (name !== KEY) copy[name] = merge(own);
    }
    return copy;
  };
  /** The first of several counts, so that it is taken over last. */
  const sourcesOf = (value: Fields): Fields[] => {
    if (!Object.hasOwn(value, KEY)) return [];
    const sources = [value[KEY]].flat().map(merge);
    for (const source of sources) {
      if (!isObject(source)) return fail(TAKES_OBJECTS);
      added += Object.keys(source).length;
      if (added > addedMax) fail(`Its merge keys take over more than ${addedMax} fields.`);
    }
    return (sources as Fields[]).toReversed();
  };
  return merge(whole);
}
