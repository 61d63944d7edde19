// Times as the REST API has them, as ISO 8601.

const MICROS_PER_DAY = 86_400_000_000n;
/** The years 1 to 9999, in microseconds from 1970. */
const MICROS = { min: -62_135_596_800_000_000n, max: 253_402_300_799_999_999n };
/** Within these a number holds every microsecond. */
const MICROS_EXACT = Number.MAX_SAFE_INTEGER;

/** `1672574400123456`, microseconds, becomes `2023-01-01T12:00:00.123456Z`. Undefined where that is no such time. */
export function instantText(text: string): string | undefined {
  if (!/^-?\d{1,18}$/.test(text)) return undefined;
  const micros = Number(text);
  return Math.abs(micros) <= MICROS_EXACT ? instantOf(micros) : farInstant(BigInt(text));
}

/** Node's dates have milliseconds: what is below them is put behind. */
function instantOf(micros: number): string {
  const millis = Math.floor(micros / 1_000);
  const rest = micros - millis * 1_000;
  return withFraction(new Date(millis).toISOString(), rest);
}

function farInstant(micros: bigint): string | undefined {
  if (micros < MICROS.min || micros > MICROS.max) return undefined;
  const days = (micros - (((micros % MICROS_PER_DAY) + MICROS_PER_DAY) % MICROS_PER_DAY)) / MICROS_PER_DAY;
  const within = Number(micros - days * MICROS_PER_DAY);
  const millis = Math.floor(within / 1_000);
  return withFraction(new Date(Number(days) * 86_400_000 + millis).toISOString(), within - millis * 1_000);
}

/** `iso` has three digits after its seconds and a Z. */
function withFraction(iso: string, micros: number): string {
  return `${withoutZeros(iso.slice(0, 23) + String(micros).padStart(3, "0"))}Z`;
}

/** A fraction without the zeros at its end, and without its point where nothing is left. */
export function withoutZeros(text: string): string {
  const point = text.indexOf(".");
  if (point < 0) return text;
  let end = text.length;
  while (text.charCodeAt(end - 1) === 0x30) end--;
  return text.slice(0, end === point + 1 ? point : end);
}

/** `[2020-01-01, UNBOUNDED)`: the ends of a RANGE of instants are microseconds too. Undefined where it is no range. */
export function rangeText(text: string, element: string | undefined): string | undefined {
  const [, from, to] = /^\[([^,[\]()]+), ?([^,[\]()]+)\)$/.exec(text) ?? [];
  if (from === undefined || to === undefined) return undefined;
  const ends = [from, to].map((end) => (element === "TIMESTAMP" && /^-?\d+$/.test(end) ? instantText(end) : end));
  return ends.includes(undefined) ? undefined : `[${ends.join(", ")})`;
}
