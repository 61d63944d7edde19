// Globs over paths of the drive, as DuckDB has them: `*` and `?` within a segment, `**` across, `[…]`. Pure.

const SPECIAL = /[*?[]/;

export const isGlob = (pattern: string): boolean => SPECIAL.test(pattern);

/** The common beginning of all paths that match. */
export const fixedPart = (pattern: string): string =>
  isGlob(pattern) ? pattern.slice(0, pattern.search(SPECIAL)) : pattern;

/** A test for whole paths. Its time is bounded by the product of both lengths, whatever the pattern. */
export function matcherOf(pattern: string): (path: string) => boolean {
  const segments = pattern.split("/").map((segment) => (segment === "**" ? undefined : unitsOf(segment)));
  return (path) => matchesSegments(segments, path.split("/"));
}

/** Says whether one character fits; `undefined` is `*`. */
type Unit = ((character: string) => boolean) | undefined;

/** Keeps the set of offsets in the path that the pattern's beginning can reach. `undefined` is `**`. */
function matchesSegments(pattern: readonly (Unit[] | undefined)[], path: readonly string[]): boolean {
  let reached = new Set([0]);
  for (const units of pattern) {
    const next = new Set<number>();
    if (!units) for (let at = Math.min(...reached); at <= path.length; at++) next.add(at);
    else for (const at of reached) if (at < path.length && matchesUnits(units, [...path[at]!])) next.add(at + 1);
    if (next.size === 0) return false;
    reached = next;
  }
  return reached.has(path.length);
}

/** Only the last `*` can need more than it took, so one offset to go back to is enough. */
function matchesUnits(units: readonly Unit[], text: readonly string[]): boolean {
  let [unit, at, star, taken] = [0, 0, -1, 0];
  while (at < text.length) {
    const fits = unit < units.length ? units[unit] : () => false;
    if (!fits) [star, taken, unit] = [unit, at, unit + 1];
    else if (fits(text[at]!)) [unit, at] = [unit + 1, at + 1];
    else if (star < 0) return false;
    else [unit, at, taken] = [star + 1, taken + 1, taken + 1];
  }
  return units.slice(unit).every((rest) => rest === undefined);
}

function unitsOf(segment: string): Unit[] {
  const units: Unit[] = [];
  for (let rest = segment; rest !== ""; ) {
    const [set, negated, inner] = /^\[(!?)([^\]]+)\]/u.exec(rest) ?? [];
    const [character = ""] = rest;
    if (set) units.push(setOf([...inner!], negated === "!"));
    else units.push(character === "*" ? undefined : character === "?" ? () => true : (other) => other === character);
    rest = rest.slice((set ?? character).length);
  }
  return units;
}

/** Tests for `[abc]` and `[a-z]`, and their negations. */
function setOf(characters: readonly string[], negated: boolean): (character: string) => boolean {
  const ranges: [string, string][] = [];
  for (let at = 0; at < characters.length; at++) {
    const isRange = characters[at + 1] === "-" && at + 2 < characters.length;
    ranges.push([characters[at]!, characters[isRange ? at + 2 : at]!]);
    if (isRange) at += 2;
  }
  const code = (character: string): number => character.codePointAt(0)!;
  return (character) =>
    ranges.some(([from, to]) => code(from) <= code(character) && code(character) <= code(to)) !== negated;
}
