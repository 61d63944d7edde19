// Docs in which one thing is another than it was: a value, the name of a member, or how often an item stands there.

import fc from "fast-check";
import type { Doc, Json } from "./viz-arbitrary.ts";

export type Steps = (string | number)[];

/** Every place in a value, the value's own first. */
export const placesIn = (value: unknown, at: Steps = []): Steps[] => {
  if (typeof value !== "object" || value === null) return [at];
  const members: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [at, ...members.flatMap(([step, member]) => placesIn(member, [...at, step]))];
};

/** A copy in which the value at the steps is another; `undefined` takes it away. */
export function changed(doc: object, steps: Steps, value: unknown): Record<string, unknown> {
  const copy = structuredClone(doc) as Record<string, unknown>;
  const parent = steps.slice(0, -1).reduce<Record<string | number, unknown>>((at, step) => at[step] as never, copy);
  const last = steps.at(-1)!;
  if (value !== undefined) parent[last] = value;
  else if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else delete parent[last];
  return copy;
}

const valueAt = (doc: unknown, steps: Steps): Json =>
  steps.reduce<unknown>((at, step) => (at as Record<string | number, unknown>)[step], doc) as Json;

const ODD: Json[] = [
  ...[null, true, 0, -1, 1.5, 1e9, "", " ", "x", "a.b", "1", "#fff", "odd name!", "\ud800", "x".repeat(300)],
  ...[[], {}, [[]], ["x"], [1], { odd: true }, { ref: "x" }],
];

/** One change of a doc. A value may come from anywhere else in it, so that names meet members of other kinds. */
export const mutationOf = (doc: Doc): fc.Arbitrary<Doc> => {
  const places = placesIn(doc).slice(1);
  return fc.constantFrom(...places).chain((steps) => {
    const value = valueAt(doc, steps);
    const last = steps.at(-1)!;
    const another = fc.oneof(
      fc.constantFrom(...ODD),
      fc.constantFrom(...places).map((other) => structuredClone(valueAt(doc, other))),
    );
    const ways = [another.map((one) => changed(doc, steps, one)), fc.constant(changed(doc, steps, undefined))];
    if (typeof last === "string") {
      const renamed = fc.constantFrom("odd", "odd name!", "type", "id").map((name) => {
        const without = changed(doc, steps, undefined);
        return changed(without, [...steps.slice(0, -1), name], value);
      });
      ways.push(renamed);
    } else {
      const list = valueAt(doc, steps.slice(0, -1)) as Json[];
      ways.push(fc.constant(changed(doc, steps.slice(0, -1), [...list, structuredClone(value)])));
    }
    return fc.oneof(...ways) as fc.Arbitrary<Doc>;
  });
};
