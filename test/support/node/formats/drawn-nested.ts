// Tables of nested columns, drawn to any depth.

import fc from "fast-check";

/** SQL of a value of one type, drawn by `h`, which stands for a number. */
type Drawn = (h: string, depth: number) => string;

const LEAVES: Drawn[] = [
  (h) => `(${h} % 1000)::INTEGER`,
  (h) => `(${h} % 100)::TINYINT`,
  (h) => `${h} % 3 = 0`,
  (h) => `(${h} / 7919.0)::DOUBLE`,
  (h) => `(${h} / 7919.0)::FLOAT`,
  (h) => `(${h} % 9999)::DECIMAL(6,0)::DECIMAL(9,2)`,
  (h) => `(${h} % 99999999)::DECIMAL(38,9)`,
  (h) => `${h}::HUGEINT * 5000000000000000007`,
  (h) => `DATE '1970-01-01' + (${h} % 60000)::INTEGER`,
  (h) => `make_timestamp((${h} % 4000000000000000)::BIGINT)`,
  (h) => `left(repeat(md5(${h}::VARCHAR), 2), (${h} % 40)::INTEGER)`,
  (h) => `encode(left(repeat(md5(${h}::VARCHAR), 2), (${h} % 40)::INTEGER))`,
  (h) => `md5(${h}::VARCHAR)::UUID`,
  (h) => `(CASE WHEN ${h} % 2 = 0 THEN 'a' ELSE 'a longer word of it' END)::ENUM('a longer word of it', 'a')`,
];

const orNull =
  (drawn: Drawn): Drawn =>
  (h, depth) =>
    `CASE WHEN hash(${h}, ${depth}) % 4 > 0 THEN ${drawn(h, depth)} END`;

/** The SQL of a list of 0 to 4 items, each made from a hash of its own. */
const transformed = (h: string, depth: number, item: (own: string, position: string) => string): string =>
  `list_transform(range((hash(${h}, 'n', ${depth}) % 5)::BIGINT), ` +
  `lambda x${depth}: ${item(`hash(${h}, x${depth})`, `x${depth}`)})`;

const { drawn: anyType } = fc.letrec<{ drawn: Drawn }>((tie) => {
  const part = tie("drawn");
  return {
    drawn: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.constantFrom(...LEAVES).map(orNull),
      part.map((drawn) => orNull((h, depth) => transformed(h, depth, (own) => drawn(own, depth + 1)))),
      fc
        .array(part, { minLength: 1, maxLength: 3 })
        .map((members) =>
          orNull(
            (h, depth) =>
              `{${members.map((drawn, i) => `'m${i}': ${drawn(`hash(${h}, ${i})`, depth + 1)}`).join(", ")}}`,
          ),
        ),
      part.map((drawn) =>
        orNull(
          (h, depth) =>
            `map_from_entries(${transformed(h, depth, (own, at) => `{'key': 'k' || ${at}, 'value': ${drawn(own, depth + 1)}}`)})`,
        ),
      ),
    ),
  };
});

/** No CASE of DuckDB's has fixed lists, nor what holds them. */
const anyColumn: fc.Arbitrary<Drawn> = fc.oneof(
  { arbitrary: anyType, weight: 4 },
  anyType.map<Drawn>(
    (drawn) => (h, depth) => `array_value(${pairOf(drawn)(h, depth)}, ${pairOf(drawn)(`${h} + 1`, depth)})`,
  ),
  anyType.map<Drawn>((drawn) => (h, depth) => `{'pair': ${pairOf(drawn)(h, depth)}}`),
  anyType.map<Drawn>((drawn) => (h, depth) => transformed(h, depth, (own) => pairOf(drawn)(own, depth + 1))),
);

const pairOf =
  (drawn: Drawn): Drawn =>
  (h, depth) =>
    `array_value(${drawn(`hash(${h})`, depth + 1)}, ${drawn(`hash(${h}, 1)`, depth + 1)})`;

/** SQL of a table of nested columns. */
export const anyNestedTable: fc.Arbitrary<string> = fc
  .record({
    columns: fc.array(anyColumn, { minLength: 1, maxLength: 4 }),
    rows: fc.oneof(fc.nat(40), fc.nat(5_000)),
    seed: fc.nat(1_000_000),
    kept: fc.integer({ min: 1, max: 7 }),
  })
  .map(({ columns, rows, seed, kept }) => {
    const cells = columns.map((drawn, i) => `${drawn(`hash(range, ${seed}, ${i})`, 0)} AS v${i}`);
    const all = `SELECT range, ${cells.join(", ")} FROM range(${rows})`;
    return `SELECT * EXCLUDE range FROM (${all}) WHERE hash(range) % 7 < ${kept}`;
  });
