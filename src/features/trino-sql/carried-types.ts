// Trino's types that DuckDB has not. Their values are texts here, as Trino's clients read them, and nothing is asked of
// a value but what its text answers.

type CarriedType = {
  /** Texts are in the order of their values; or each value has one text; or a value has several. */
  compares: "ordered" | "equal" | "never";
  /** A size counts characters, or digits of a second. `usual`: the size where a statement says none. */
  size?: { usual: number; min: number; max: number };
};

const DIGITS = { usual: 3, min: 0, max: 12 };

/** A `time` and a `timestamp` are carried where they have more digits than DuckDB's. */
const KINDS = {
  char: { compares: "ordered", size: { usual: 1, min: 1, max: 65_536 } },
  json: { compares: "never" },
  time: { compares: "ordered", size: DIGITS },
  timestamp: { compares: "ordered", size: DIGITS },
  "time with time zone": { compares: "never", size: DIGITS },
  "timestamp with time zone": { compares: "never", size: DIGITS },
  "interval year to month": { compares: "equal" },
  "interval day to second": { compares: "equal" },
  ipaddress: { compares: "never" },
} as const satisfies Record<string, CarriedType>;

export const CARRIED: Record<CarriedName, CarriedType> = KINDS;
export type CarriedName = keyof typeof KINDS;
export type Carried = { kind: "carried"; name: CarriedName; size?: number };

const isCarried = (name: string): name is CarriedName => Object.hasOwn(CARRIED, name);

/** The type as a statement names it; undefined where there is none. */
export function carriedNamed(name: string, args: readonly number[]): Carried | undefined {
  if (!isCarried(name)) return undefined;
  const { size } = CARRIED[name];
  if (!size) return args.length === 0 ? { kind: "carried", name } : undefined;
  const [said = size.usual, ...more] = args;
  return more.length === 0 && said >= size.min && said <= size.max ? { kind: "carried", name, size: said } : undefined;
}
