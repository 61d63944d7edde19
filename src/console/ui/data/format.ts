// Numbers, sizes and times as people read them. Pure.

const BYTE_UNITS = ["B", "KB", "MB", "GB", "TB", "PB"];
const COUNT_UNITS = ["", "k", "M", "G", "T"];
const EXACT_MAX = 10_000;

/** Bytes in decimal units: 1 KB is 1,000 bytes. */
export const formatBytes = (bytes: number): string => scaled(bytes, BYTE_UNITS, " ");

/** A count with every digit, its thousands apart. */
export const formatExact = (count: number): string => count.toLocaleString("en-US");

/** A count: exact up to ten thousand, shortened above. */
export const formatCount = (count: number): string =>
  Math.abs(count) < EXACT_MAX ? formatExact(count) : scaled(count, COUNT_UNITS, "");

function scaled(value: number, units: readonly string[], gap: string): string {
  let unit = 0;
  let rest = value;
  while (Math.abs(rest) >= 999.5 && unit < units.length - 1) {
    rest /= 1_000;
    unit++;
  }
  const digits = unit === 0 || Math.abs(rest) >= 100 ? 0 : Math.abs(rest) >= 10 ? 1 : 2;
  return `${Number(rest.toFixed(digits))}${gap}${units[unit]}`.trimEnd();
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export function formatDuration(ms: number): string {
  if (ms === 0) return "0 s";
  if (ms < SECOND) return `${Math.round(ms)} ms`;
  if (ms < MINUTE) return `${(ms / SECOND).toFixed(ms < 10 * SECOND ? 1 : 0)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min ${Math.floor((ms % MINUTE) / SECOND)} s`;
  return `${Math.floor(ms / HOUR)} h ${Math.floor((ms % HOUR) / MINUTE)} min`;
}

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", DAY],
  ["hour", HOUR],
  ["minute", MINUTE],
  ["second", SECOND],
];
const JUST_NOW_MS = 5 * SECOND;
const DATED_MS = 30 * DAY;
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });

/** "3 min. ago"; a date where it is more than a month away. */
export function relativeTime(at: number, now: number): string {
  const away = at - now;
  if (Math.abs(away) < JUST_NOW_MS) return "just now";
  if (Math.abs(away) > DATED_MS) return new Date(at).toLocaleDateString("en", { dateStyle: "medium" });
  const [unit, ms] = UNITS.find(([, size]) => Math.abs(away) >= size) ?? UNITS.at(-1)!;
  return relative.format(Math.trunc(away / ms), unit);
}
