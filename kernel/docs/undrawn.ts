// Kinds of tiles and charts that nothing here draws. A doc keeps them; whoever draws it has a note in their place, and
// the rest of the doc is drawn.

import { isObject } from "../text/is-object.ts";
import { CHART_TYPES } from "./chart-options.ts";
import type { DocFlaw } from "./check-dashboard.ts";
import { FILTER_DISPLAYS, FILTER_TYPES, TILE_TYPES } from "./dashboard.ts";
import { VIZ_TYPES } from "./viz.ts";

/** `doc` is the value with notes for what is not drawn, which `undrawn` names by its place. */
export type Drawable = { doc: unknown; undrawn: DocFlaw[] };

export function withNotes(value: unknown): Drawable {
  if (!isObject(value)) return { doc: value, undrawn: [] };
  const { layout, tiles, filters } = value;
  const inLayout = isObject(layout) ? noteTiles(layout["tiles"], "/layout/tiles") : UNTOUCHED;
  const beside = noteTiles(tiles, "/tiles");
  const known = knownFilters(filters);
  return {
    doc: {
      ...value,
      ...(inLayout.list && { layout: { ...(layout as object), tiles: inLayout.list } }),
      ...(beside.list && { tiles: beside.list }),
      ...(known.list && { filters: known.list }),
    },
    undrawn: [...known.undrawn, ...inLayout.undrawn, ...beside.undrawn],
  };
}

type Noted = { list: unknown[] | undefined; undrawn: DocFlaw[] };
const UNTOUCHED: Noted = { list: undefined, undrawn: [] };

function noteTiles(tiles: unknown, at: string): Noted {
  if (!Array.isArray(tiles)) return UNTOUCHED;
  const undrawn: DocFlaw[] = [];
  const list = tiles.map((tile: unknown, i) => {
    const found = isObject(tile) ? undrawnIn(tile) : undefined;
    if (!found) return tile;
    const message = `Nothing here draws a ${found.noun} of this type; it is kept, and a note stands in its place.`;
    undrawn.push({ pointer: `${at}/${i}${found.at}`, message });
    return noteFor(tile as Record<string, unknown>, found);
  });
  return { list, undrawn };
}

type Undrawn = { noun: "tile" | "chart"; type: string; at: string };

function undrawnIn({ type, viz }: Record<string, unknown>): Undrawn | undefined {
  if (isName(type) && !isOneOf(TILE_TYPES, type)) return { noun: "tile", type, at: "/type" };
  if (!isObject(viz) || type === "markdown" || type === "html") return undefined;
  const { chartType, type: drawnAs } = viz;
  if (chartType !== undefined)
    return isName(chartType) && !isOneOf(CHART_TYPES, chartType)
      ? { noun: "chart", type: chartType, at: "/viz/chartType" }
      : undefined;
  return isName(drawnAs) && !isOneOf(VIZ_TYPES, drawnAs)
    ? { noun: "chart", type: drawnAs, at: "/viz/type" }
    : undefined;
}

const PLACE = ["id", "x", "y", "w", "h", "title", "description", "fullScreen"] as const;

/** A note of the tile's place and title; the type is said where it is a plain word. */
function noteFor(
  tile: Record<string, unknown>,
  { noun, type }: Pick<Undrawn, "noun" | "type">,
): Record<string, unknown> {
  const place = PLACE.flatMap((key) => (Object.hasOwn(tile, key) ? [[key, tile[key]] as const] : []));
  const named = /^[A-Za-z0-9 .-]{1,50}$/.test(type) ? `: its type is ${type}` : "";
  return { ...Object.fromEntries(place), type: "markdown", content: `_This ${noun} is not drawn here${named}._` };
}

const UNKNOWN = {
  display: "Nothing here knows this value; it is kept, and readers of what is published have no such filter to set.",
  type: "Nothing here knows this value; it is kept.",
};
const WORDS = { display: FILTER_DISPLAYS, type: FILTER_TYPES };

/** Filters without the words for their looks that nothing here knows: such a display may have meant to hide it. */
function knownFilters(filters: unknown): Noted {
  if (!Array.isArray(filters)) return UNTOUCHED;
  const undrawn: DocFlaw[] = [];
  const list = filters.map((filter: unknown, i) => {
    if (!isObject(filter)) return filter;
    const isUnknown = ([key, value]: [string, unknown]): boolean =>
      (key === "display" || key === "type") && isName(value) && !isOneOf(WORDS[key], value);
    const unknown = Object.entries(filter).filter(isUnknown);
    for (const [key] of unknown)
      undrawn.push({ pointer: `/filters/${i}/${key}`, message: UNKNOWN[key as keyof typeof UNKNOWN] });
    const known = Object.fromEntries(Object.entries(filter).filter((one) => !isUnknown(one)));
    return unknown.some(([key]) => key === "display") ? { ...known, display: "hidden" } : known;
  });
  return { list, undrawn };
}

const isName = (value: unknown): value is string => typeof value === "string" && /^.{1,100}$/su.test(value);
const isOneOf = (known: readonly string[], word: string): boolean => known.includes(word);
