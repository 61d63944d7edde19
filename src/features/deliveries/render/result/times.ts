// Instants and spans of time as the engine's JSON writes them: ISO 8601, a fraction without zeros at its end.

const DAY_SECONDS = 86_400n;

const two = (value: number): string => String(value).padStart(2, "0");

/** Of days since 1970. Years before Christ are counted from 1 and marked behind the text. */
const civilOf = (days: number): { date: string; era: string } => {
  // Shifted to the 1st of March of the year 0, where leap days end the year.
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const ofEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (ofEra - Math.floor(ofEra / 1_460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) / 365,
  );
  const ofYear = ofEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const month = Math.floor((5 * ofYear + 2) / 153);
  const day = ofYear - Math.floor((153 * month + 2) / 5) + 1;
  const year = yearOfEra + era * 400 + (month >= 10 ? 1 : 0);
  const shown = String(year > 0 ? year : 1 - year).padStart(4, "0");
  return { date: `${shown}-${two(month >= 10 ? month - 9 : month + 3)}-${two(day)}`, era: year > 0 ? "" : " (BC)" };
};

export function dateText(days: number): string {
  const { date, era } = civilOf(days);
  return date + era;
}

/** `units` since midnight, each `10 ** -digits` seconds. */
export function timeText(units: bigint, digits: number): string {
  const perSecond = 10n ** BigInt(digits);
  const seconds = Number(units / perSecond);
  const clock = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  const fraction = String(units % perSecond).padStart(digits, "0");
  return `${clock}${digits === 0 || /^0*$/.test(fraction) ? "" : `.${fraction.replace(/0+$/, "")}`}`;
}

/** `units` since 1970. */
export function timestampText(units: bigint, digits: number): string {
  const perDay = DAY_SECONDS * 10n ** BigInt(digits);
  const ofDay = ((units % perDay) + perDay) % perDay;
  const { date, era } = civilOf(Number((units - ofDay) / perDay));
  return `${date}T${timeText(ofDay, digits)}${era}`;
}

/** As DuckDB writes an interval: `1 year 2 months 3 days 04:05:06.5`. */
export function intervalText({ months, days, units }: { months: number; days: number; units: bigint }, digits: number) {
  const part = (count: number, name: string) =>
    count === 0 ? [] : [`${count} ${name}${Math.abs(count) === 1 ? "" : "s"}`];
  const parts = [...part(Math.trunc(months / 12), "year"), ...part(months % 12, "month"), ...part(days, "day")];
  const clock = `${units < 0n ? "-" : ""}${timeText(units < 0n ? -units : units, digits)}`;
  return [...parts, ...(units !== 0n || parts.length === 0 ? [clock] : [])].join(" ");
}
