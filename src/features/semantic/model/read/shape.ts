// Checks of plain data that say where each flaw is, and answer the data as the compiler takes it. All flaws are
// reported, not only the first.

import { isObject } from "../../../../../kernel/text/is-object.ts";
import { pointerStep } from "../../../../../kernel/text/json-pointer.ts";
import { didYouMean } from "../../did-you-mean.ts";
import { shorten } from "../template.ts";

/** A place in a file: the steps to it from its root. */
export type Place = { file: number; up?: Place; step?: string | number };
export type PlacedFlaw = { place: Place; member?: string | undefined; message: string };

export const below = (place: Place, step: string | number): Place => ({ file: place.file, up: place, step });

export function pointerOf(place: Place): string {
  const step = place.step === undefined ? "" : pointerStep(place.step);
  return (place.up ? pointerOf(place.up) : "") + step;
}

/** The flaws and notes that reading a model collects. */
export class Findings {
  readonly flaws: PlacedFlaw[] = [];
  /** Parts of the definitions that are left out because nothing here needs them. */
  readonly notes: PlacedFlaw[] = [];
  /** Where an object of the definitions was written. */
  readonly #places = new WeakMap<object, Place>();

  /** Whose it is: `cube` or `cube.member`, where it is known. */
  member: string | undefined;

  flaw(place: Place, message: string): undefined {
    this.flaws.push({ place, member: this.member, message });
  }

  note(place: Place, message: string): void {
    this.notes.push({ place, member: this.member, message });
  }

  remember<Written extends object>(written: Written, place: Place): Written {
    this.#places.set(written, place);
    return written;
  }

  placeOf(written: object): Place {
    const place = this.#places.get(written);
    if (!place) throw new Error("This was not read from a file.");
    return place;
  }
}

/** Answers undefined where there is a flaw, which it has reported then. */
export type Check<Value> = (value: unknown, place: Place, findings: Findings) => Value | undefined;

export type Shape = {
  fields: Record<string, Check<unknown>>;
  required?: readonly string[];
  /** Fields that Cube has and that are not for here, with why. */
  refused?: Record<string, string>;
  /** Fields that change no answer, with what takes their place. */
  ignored?: Record<string, string>;
  /** Names whose it is, for flaws below it. */
  memberOf?: (written: Record<string, unknown>) => string | undefined;
};

type Fields = Record<string, unknown>;

/** Fields that are empty are as if they were not there, as in Cube. */
export function object(shape: Shape): Check<Fields> {
  return (value, place, findings) => {
    if (!isObject(value)) return findings.flaw(place, `It must be an object, and is ${nameOf(value)}.`);
    const above = findings.member;
    findings.member = shape.memberOf?.(value) ?? above;
    const count = findings.flaws.length;
    const read: Fields = {};
    for (const [name, written] of Object.entries(value))
      if (written !== null) readField(shape, { name, written, read, place: below(place, name), findings });
    for (const name of shape.required ?? [])
      if ((value[name] ?? null) === null) findings.flaw(place, `The field ${name} is missing.`);
    findings.member = above;
    return findings.flaws.length > count ? undefined : findings.remember(read, place);
  };
}

type FieldRead = { name: string; written: unknown; read: Fields; place: Place; findings: Findings };

function readField(shape: Shape, { name, written, read, place, findings }: FieldRead): void {
  const own = <Value>(of: Record<string, Value> | undefined): Value | undefined =>
    of && Object.hasOwn(of, name) ? of[name] : undefined;
  const check = own(shape.fields);
  const refusal = own(shape.refused);
  const ignored = own(shape.ignored);
  if (check) {
    const value = check(written, place, findings);
    if (value !== undefined) read[name] = value;
  } else if (refusal !== undefined) findings.flaw(place, refusal);
  else if (ignored !== undefined) findings.note(place, ignored);
  else findings.flaw(place, `The field ${shorten(name)} is not known here.${adviceFor(name, shape)}`);
}

/** JavaScript models write the same names in another way; and there are slips. */
function adviceFor(name: string, { fields }: Shape): string {
  const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  if (snake !== name && Object.hasOwn(fields, snake)) return ` It is written ${snake}.`;
  return didYouMean(name, Object.keys(fields));
}

export function listOf<Item>(check: Check<Item>, itemsMax: number): Check<Item[]> {
  return (value, place, findings) => {
    if (!Array.isArray(value)) return findings.flaw(place, `It must be a list, and is ${nameOf(value)}.`);
    if (value.length > itemsMax) return findings.flaw(place, `It has more than ${itemsMax} items.`);
    const count = findings.flaws.length;
    const items = value.map((item, i) => check(item, below(place, i), findings));
    return findings.flaws.length > count ? undefined : (items as Item[]);
  };
}

/** The first check whose kind of value it is; they are told apart by `is`. */
export function either<First, Second>(
  is: (value: unknown) => boolean,
  first: Check<First>,
  second: Check<Second>,
): Check<First | Second> {
  return (value, place, findings) => (is(value) ? first : second)(value, place, findings);
}
export const isText = (value: unknown): boolean => typeof value === "string";

export const flag: Check<boolean> = (value, place, findings) =>
  typeof value === "boolean" ? value : findings.flaw(place, `It must be true or false, and is ${nameOf(value)}.`);

const IN_QUOTES = ' A value that begins with { is put in quotes: "{CUBE}".';

/** Text of a form; `normal` is what becomes of it. */
export function text(flawOf: (text: string) => string | undefined, normal?: (text: string) => string): Check<string> {
  return (value, place, findings) => {
    if (typeof value !== "string")
      return findings.flaw(place, `It must be text, and is ${nameOf(value)}.${isObject(value) ? IN_QUOTES : ""}`);
    const flaw = value === "" ? "It is empty." : flawOf(value);
    if (flaw !== undefined) return findings.flaw(place, flaw);
    return normal ? normal(value) : value;
  };
}

/** One of some words; `aliases` are old spellings of them. */
export function oneOf<Word extends string>(
  words: readonly Word[],
  { aliases = {}, refused = {} }: { aliases?: Record<string, Word>; refused?: Record<string, string> } = {},
): Check<Word> {
  return (value, place, findings) => {
    const word = typeof value === "string" && Object.hasOwn(aliases, value) ? aliases[value] : value;
    if (words.includes(word as Word)) return word as Word;
    if (typeof word === "string" && Object.hasOwn(refused, word)) return findings.flaw(place, refused[word]!);
    const shown = typeof value === "string" ? shorten(value) : nameOf(value);
    return findings.flaw(place, `${shown} is none of ${words.join(", ")}.`);
  };
}

function nameOf(value: unknown): string {
  if (value === null) return "empty";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  return typeof value === "string" ? "text" : `${String(value)}, a ${typeof value}`;
}
