import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Predicate } from "../../../../kernel/lake/lake.ts";
import { valueOf } from "../../../../src/core/answer.ts";
import { matcherOf, type FileBounds } from "../../../../src/lake/plan/prune.ts";
import { alter, append, column, createTable, newLake, newWriter, statistics } from "../../../support/unit/lake.ts";

const mayMatch = (asked: Predicate, type: string, known: FileBounds): boolean => matcherOf(asked, type)(known);

const COMPARISONS = ["=", "<", "<=", ">", ">="] as const;
const predicate = (op: Predicate["op"], ...values: string[]): Predicate => ({ columnId: 1, op, values });
const bounds = (min: string | null, max: string | null, rest: Partial<FileBounds> = {}): FileBounds => ({
  hasNull: false,
  hasValue: true,
  hasNan: false,
  min,
  max,
  ...rest,
});

/** A kind of column: its cells, how one is written in a bound, and how the type orders them. */
type Kind<Cell> = {
  type: string;
  cell: fc.Arbitrary<Cell>;
  write: (cell: Cell) => string;
  order: (left: Cell, right: Cell) => number;
};

const compare = <Cell extends bigint | number>(left: Cell, right: Cell): number =>
  left < right ? -1 : left > right ? 1 : 0;
const bytes = (text: string) => new TextEncoder().encode(text);
const compareBytes = (left: string, right: string): number => {
  const [a, b] = [bytes(left), bytes(right)];
  for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
};
const scaled = (units: bigint): string => {
  const digits = String(units < 0n ? -units : units).padStart(5, "0");
  return `${units < 0n ? "-" : ""}${digits.slice(0, -4)}.${digits.slice(-4)}`;
};
const kind = <Cell>(of: Kind<Cell>): Kind<unknown> => of as Kind<unknown>;
const near = fc.bigInt({ min: 2n ** 62n - 3n, max: 2n ** 62n + 3n });

const KINDS: [string, Kind<unknown>][] = [
  ["int64, where doubles are too coarse", kind<bigint>({ type: "int64", cell: near, write: String, order: compare })],
  [
    "decimal, where doubles are too coarse",
    kind<bigint>({ type: "decimal(38,4)", cell: near, write: scaled, order: compare }),
  ],
  [
    "small whole numbers",
    kind<bigint>({ type: "int32", cell: fc.bigInt({ min: -3n, max: 3n }), write: String, order: compare }),
  ],
  ["float64", kind<number>({ type: "float64", cell: fc.double({ noNaN: true }), write: String, order: compare })],
  ["float32", kind<number>({ type: "float32", cell: fc.float({ noNaN: true }), write: String, order: compare })],
  [
    "varchar",
    kind<string>({
      type: "varchar",
      cell: fc.string({ unit: "grapheme", maxLength: 4 }),
      write: String,
      order: compareBytes,
    }),
  ],
  [
    "varchar of few letters",
    kind<string>({
      type: "varchar",
      cell: fc.string({ unit: fc.constantFrom("a", "b", "é"), maxLength: 4 }),
      write: String,
      order: compareBytes,
    }),
  ],
  [
    "boolean",
    kind<boolean>({
      type: "boolean",
      cell: fc.boolean(),
      write: (flag) => String(Number(flag)),
      order: (left, right) => Number(left) - Number(right),
    }),
  ],
];

const holds = (order: number, op: Predicate["op"]): boolean =>
  op === "=" || op === "in"
    ? order === 0
    : op === "<"
      ? order < 0
      : op === "<="
        ? order <= 0
        : op === ">"
          ? order > 0
          : order >= 0;

/** What a writer records of a file; `cut` is how many characters it keeps of a text. */
function boundsOf({ type, write, order }: Kind<unknown>, cells: unknown[], cut: number): FileBounds {
  const sorted = cells.filter((cell) => cell !== null).sort(order);
  const keep = (text: string): string => (type === "varchar" ? [...text].slice(0, cut).join("") : text);
  const end = (at: number): string | null => (sorted.length === 0 ? null : keep(write(sorted.at(at))));
  return {
    hasNull: sorted.length < cells.length,
    hasValue: sorted.length > 0,
    hasNan: false,
    min: end(0),
    max: end(-1),
  };
}

describe("a file that holds a row that matters is never left out", () => {
  it.each(KINDS)("%s", (_, of) => {
    const cells = fc.array(fc.option(of.cell, { freq: 4 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(
        cells,
        of.cell,
        fc.array(of.cell, { minLength: 1, maxLength: 9 }),
        fc.nat(4),
        (file, value, several, cut) => {
          const known = boundsOf(of, file, cut);
          const matches = (op: Predicate["op"], other: unknown) =>
            file.some((cell) => cell !== null && holds(of.order(cell, other), op));
          for (const op of COMPARISONS)
            if (matches(op, value)) expect(mayMatch(predicate(op, of.write(value)), of.type, known)).toBe(true);
          if (several.some((other) => matches("in", other)))
            expect(mayMatch(predicate("in", ...several.map(of.write)), of.type, known)).toBe(true);
          expect(mayMatch(predicate("is_null"), of.type, known)).toBe(file.includes(null));
          expect(mayMatch(predicate("is_not_null"), of.type, known)).toBe(file.some((cell) => cell !== null));
        },
      ),
      { numRuns: 400 },
    );
  });

  it("float32 bounds of a column that became float64", () => {
    fc.assert(
      fc.property(fc.array(fc.float({ noNaN: true }), { minLength: 1 }), fc.nat(), (cells, at) => {
        const shortest = (value: number): string => {
          for (let digits = 1; digits < 10; digits++)
            if (Math.fround(Number(value.toPrecision(digits))) === value)
              return String(Number(value.toPrecision(digits)));
          return String(value);
        };
        const sorted = [...cells].sort(compare);
        const cell = cells[at % cells.length]!;
        for (const op of ["=", "<=", ">="] as const)
          expect(
            mayMatch(predicate(op, String(cell)), "float64", bounds(shortest(sorted[0]!), shortest(sorted.at(-1)!))),
          ).toBe(true);
      }),
    );
  });
});

describe("a file that can hold no such row is left out", () => {
  it.each<[string, Predicate, string, FileBounds]>([
    ["below", predicate("<", "5"), "int64", bounds("5", "9")],
    ["at most", predicate("<=", "4"), "int64", bounds("5", "9")],
    ["above", predicate(">", "9"), "int64", bounds("5", "9")],
    ["at least", predicate(">=", "10"), "int64", bounds("5", "9")],
    ["equal, by number and not by letter", predicate("=", "10"), "int64", bounds("2", "9")],
    [
      "beyond what a double tells apart",
      predicate("=", "9007199254740993"),
      "int64",
      bounds("9007199254740994", "9007199254740995"),
    ],
    [
      "a decimal beyond a double",
      predicate(">", "0.30000000000000000002"),
      "decimal(38,20)",
      bounds("0", "0.30000000000000000001"),
    ],
    ["none of several", predicate("in", "1", "20"), "int64", bounds("5", "9")],
    ["between two of several", predicate("in", "30", "4", "1", "10", "20"), "int64", bounds("5", "9")],
    ["between texts", predicate("in", "zoo", "apple", "a"), "varchar", bounds("b", "m")],
    ["text", predicate("=", "m"), "varchar", bounds("a", "l")],
    ["a later day", predicate(">", "2024-02-01"), "date", bounds("2024-01-01", "2024-01-31")],
    [
      "an instant",
      predicate("<", "2024-01-01 00:00:00+00"),
      "timestamptz",
      bounds("2024-01-01 00:00:00+00", "2024-01-02 00:00:00+00"),
    ],
    ["nothing but NULL", predicate("=", "5"), "int64", bounds(null, null, { hasNull: true, hasValue: false })],
    ["no NULL", predicate("is_null"), "interval", bounds(null, null)],
  ])("%s", (_, asked, type, known) => expect(mayMatch(asked, type, known)).toBe(false));
});

describe("in doubt a file stays", () => {
  it.each<[string, Predicate, string, FileBounds]>([
    ["without bounds", predicate("=", "5"), "int64", bounds(null, null)],
    ["where a NaN may be", predicate(">", "100"), "float64", bounds("1", "2", { hasNan: true })],
    ["where a NaN may be, for a number too", predicate("=", "100"), "float64", bounds("1", "2", { hasNan: true })],
    ["for a value that is no number", predicate("=", "nan"), "float64", bounds("1", "2")],
    ["for bounds of an age past comparing", predicate("=", "2024-01-01"), "date", bounds("10000-01-01", "infinity")],
    [
      "for an instant of another zone",
      predicate("<", "2024-01-01 00:00:00+02"),
      "timestamptz",
      bounds("2024-01-01 00:00:00+00", "2024-01-02 00:00:00+00"),
    ],
    [
      "for a date against instants",
      predicate("=", "2024-01-01"),
      "timestamp",
      bounds("2024-01-01 00:00:00", "2024-01-01 00:00:00"),
    ],
    [
      "for a fraction written otherwise",
      predicate("=", "2024-01-01 00:00:00.50"),
      "timestamp",
      bounds("2024-01-01 00:00:00.5", "2024-01-01 00:00:00.5"),
    ],
    [
      "for text that an upper bound may have been cut from",
      predicate(">=", "applesauce"),
      "varchar",
      bounds("a", "apple"),
    ],
    ["for bounds cut in the middle of a character", predicate("=", "aé"), "varchar", bounds("a\uFFFD", "a\uFFFD")],
    ["for one of several in pieces", predicate("in", "a", "b\uFFFD", "c"), "varchar", bounds("x", "z")],
    ["for several of which one is no number", predicate("in", "1", "x", "2"), "int64", bounds("5", "9")],
    [
      "for several, one of which its upper bound was cut from",
      predicate("in", "b", "mat", "z"),
      "varchar",
      bounds("c", "ma"),
    ],
    ["for types without bounds", predicate("=", "1 day"), "interval", bounds("2 days", "3 days")],
    ["for a comparison with no value", predicate("<"), "int64", bounds("5", "9")],
    ["for a comparison with two", predicate("=", "1", "2"), "int64", bounds("5", "9")],
    ["for a list of none", predicate("in"), "int64", bounds("5", "9")],
    ["for an empty bound", predicate(">", "1"), "float64", bounds("", "")],
  ])("%s", (_, asked, type, known) => expect(mayMatch(asked, type, known)).toBe(true));
});

describe("a plan with predicates", () => {
  async function newTable() {
    const lake = newLake();
    const writer = await newWriter(lake);
    await writer.commit([createTable("main", "t", [column(1, "n", "int32"), column(2, "s", "varchar")])]);
    const file = (min: number, max: number) =>
      writer.file("main", "t", 10, { statistics: [statistics(1, 10, { min: String(min), max: String(max) })] });
    await writer.commit([append("main", "t", file(0, 9), file(10, 19), file(20, 29), writer.file("main", "t", 5))]);
    const plan = async (...predicates: Predicate[]) =>
      valueOf(
        await lake.catalog.plan((await lake.catalog.currentSnapshot()).snapshotId, [1], "everything", {
          anyOf: [predicates],
        }),
      )[0]?.files.map(({ id }) => id);
    return { ...lake, writer, plan };
  }

  it("leaves out files by all of them together", async () => {
    const { plan } = await newTable();
    expect(await plan()).toEqual([0, 1, 2, 3]);
    expect(await plan(predicate(">", "15"))).toEqual([1, 2, 3]);
    expect(await plan(predicate(">", "15"), predicate("<", "20"))).toEqual([1, 3]);
    expect(await plan(predicate("is_null"))).toEqual([3]);
    expect(
      await plan(
        predicate(">", "15"),
        { columnId: 2, op: "=", values: ["x"] },
        { columnId: 77, op: "=", values: ["x"] },
      ),
    ).toEqual([1, 2, 3]);
  });

  it("keeps what one of several lists may want", async () => {
    const { catalog } = await newTable();
    const plan = async (...anyOf: Predicate[][]) =>
      valueOf(await catalog.plan(2, [1], "everything", { anyOf }))[0]?.files.map(({ id }) => id);
    expect(await plan([predicate("<", "5")], [predicate("=", "25")])).toEqual([0, 2, 3]);
    expect(
      await plan([predicate("<", "5")], [predicate(">", "15"), predicate("<", "20")], [predicate("=", "99")]),
    ).toEqual([0, 1, 3]);
    expect(await plan([predicate("<", "5")], [])).toEqual([0, 1, 2, 3]);
    expect(await plan([predicate("<", "5")], [{ columnId: 2, op: "=", values: ["x"] }])).toEqual([0, 1, 2, 3]);
  });

  it("goes by a column's id, whatever it is called and however wide it has become", async () => {
    const { plan, writer, catalog } = await newTable();
    await writer.commit([
      alter("main", "t", { kind: "rename_column", id: 1, to: "m" }, { kind: "set_type", id: 1, type: "int64" }),
    ]);
    expect(await plan(predicate("=", "12"))).toEqual([1, 3]);
    expect(
      valueOf(await catalog.plan(2, [1], "everything", { anyOf: [[predicate("=", "12")]] }))[0]?.files.map(
        ({ id }) => id,
      ),
    ).toEqual([1, 3]);
    await writer.commit([alter("main", "t", { kind: "drop_column", id: 1 })]);
    expect(await plan(predicate("=", "12"))).toEqual([0, 1, 2, 3]);
  });
});
