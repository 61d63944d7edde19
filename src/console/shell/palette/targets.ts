// The targets of the palette, and the order in which it shows those that fit. The browser keeps the recent choices.

import type { QueryClient } from "@tanstack/react-query";
import type { Right } from "../../api/me.ts";
import type { IconName } from "../../ui/icons.tsx";

/** `path` is below /app; `kind` says what it is. */
export type Target = { title: string; path: string; icon: IconName; kind: string; words?: string };

/** `find` is asked for what has the text in its name; an empty text means: the likeliest. */
export type ThingSource = {
  name: string;
  /** Who lacks one of them is not offered its targets. */
  rights: readonly Right[];
  find(text: string, cache: QueryClient): Promise<Target[]>;
};

const SHOWN_MAX = 40;
const RECENT_MAX = 8;
const RECENT_KEY = "fjord-recent";

/** Targets fit that hold every word that was typed: recent ones come first, then those whose title begins with it. */
export function rankTargets(targets: readonly Target[], text: string): Target[] {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
  const recent = readRecent();
  const scored = targets.flatMap((target) => {
    const title = target.title.toLowerCase();
    const all = `${title} ${target.kind.toLowerCase()} ${target.words ?? ""}`;
    if (!wanted.every((word) => all.includes(word))) return [];
    const used = recent.indexOf(target.path);
    const begins = wanted.length > 0 && title.startsWith(wanted[0]!) ? 100 : 0;
    const within = wanted.every((word) => title.includes(word)) ? 50 : 0;
    return [{ target, score: begins + within + (used < 0 ? 0 : 40 - used) }];
  });
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, SHOWN_MAX)
    .map(({ target }) => target);
}

export function rememberTarget({ path }: Target): void {
  const next = [path, ...readRecent().filter((other) => other !== path)].slice(0, RECENT_MAX);
  localStorage.setItem(RECENT_KEY, JSON.stringify(next));
}

function readRecent(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(RECENT_KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((path) => typeof path === "string") : [];
  } catch {
    return [];
  }
}
