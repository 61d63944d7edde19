// Nested columns as Parquet has them: columns of values alone, beside which levels say where a list begins and how deep
// a value is there. After Dremel: https://research.google/pubs/dremel-interactive-analysis-of-web-scale-datasets-2/

import { DataType, type Data, type Field } from "apache-arrow";
import { hasBit } from "../../duckdb/vectors/bits.ts";

/**
 * The entries of a column, or of a part of one: an entry for each value, and for each place where there is none.
 * `places` says which value of the part an entry has, -1 where a NULL or an empty list stands above it.
 */
export type Entries = { count: number; places: Int32Array; definition: Uint8Array; repetition: Uint8Array };

/** The entries of a column of values. `present`: how many of them have a value. */
export type Leaf = Entries & { data: Data; present: number };

/** The entries of so many rows, before anything is known of a column. */
export function rowEntries(count: number): Entries {
  const places = new Int32Array(count);
  for (let row = 0; row < count; row++) places[row] = row;
  return { count, places, definition: new Uint8Array(count), repetition: new Uint8Array(count) };
}

/** The columns of values that a column comes down to, in the order of the schema. The entries may be written over. */
export function* leavesOf({ type, nullable }: Field, data: Data, entries: Entries, depth = 0): Generator<Leaf> {
  const present = nullable ? defineValid(data, entries) : countPresent(entries);
  const parts = (type.children ?? []) as Field[];
  if (parts.length === 0) yield { ...entries, data, present };
  else if (DataType.isStruct(type))
    for (const [i, part] of parts.entries()) yield* leavesOf(part, data.children[i]!, copyOf(entries), depth);
  else yield* leavesOf(parts[0]!, data.children[0]!, elementsOf(data, entries, depth + 1), depth + 1);
}

const copyOf = ({ count, places, definition, repetition }: Entries): Entries => ({
  count,
  places: places.slice(),
  definition: definition.slice(),
  repetition,
});

/** Ends the entries whose value is NULL. Answers how many have one. */
function defineValid({ nullCount, nullBitmap }: Data, { count, places, definition }: Entries): number {
  const bits = nullCount > 0 ? nullBitmap : undefined;
  let present = 0;
  for (let entry = 0; entry < count; entry++) {
    const place = places[entry]!;
    if (place < 0) continue;
    if (bits && !hasBit(bits, place)) places[entry] = -1;
    else {
      definition[entry]!++;
      present++;
    }
  }
  return present;
}

const countPresent = ({ places }: Entries): number => places.reduce((sum, place) => (place < 0 ? sum : sum + 1), 0);

/** The entries of lists' elements. A list without any has one entry, which says so. */
function elementsOf(data: Data, { count, places, definition, repetition }: Entries, level: number): Entries {
  const spanOf = spans(data);
  let size = 0;
  for (let entry = 0; entry < count; entry++) size += Math.max(1, spanOf(places[entry]!).length);
  const elements = {
    count: size,
    places: new Int32Array(size).fill(-1),
    definition: new Uint8Array(size),
    repetition: new Uint8Array(size),
  };
  for (let entry = 0, to = 0; entry < count; entry++) {
    const { start, length } = spanOf(places[entry]!);
    elements.repetition[to] = repetition[entry]!;
    elements.definition[to] = definition[entry]!;
    if (length === 0) to++;
    for (let i = 0; i < length; i++, to++) {
      elements.places[to] = start + i;
      elements.definition[to] = definition[entry]! + 1;
      if (i > 0) elements.repetition[to] = level;
    }
  }
  return elements;
}

type Span = { start: number; length: number };
const NOTHING: Span = { start: 0, length: 0 };

/** Where the elements of a list stand among all, by the list's place. */
function spans({ type, valueOffsets }: Data): (place: number) => Span {
  const span = { start: 0, length: 0 };
  const fixed = DataType.isFixedSizeList(type) ? type.listSize : undefined;
  return (place) => {
    if (place < 0) return NOTHING;
    span.start = fixed === undefined ? valueOffsets[place]! : place * fixed;
    span.length = fixed ?? valueOffsets[place + 1]! - span.start;
    return span;
  };
}
