// A tab of the workspace as the browser keeps it. Pure.

import type { TypedValue } from "../../../api/query-link.ts";
import type { PivotChoice } from "../results/pivot/pivot-choice.ts";

/** The ways to look at a tab's result. */
export type Shown = "rows" | "chart" | "pivot" | "compare" | "plan";

/** `other`: what the result is compared with; `key`: the columns by which a row is found again. */
export type Comparison = { other?: string; key?: readonly string[] };

/** `integrationId` is null for the team's lake. `closedAt` is absent while the tab is open. */
export type Tab = {
  id: string;
  title: string;
  text: string;
  integrationId: string | null;
  values: Record<string, TypedValue>;
  /** Tabs stand in this order. */
  place: number;
  closedAt?: number;
  /** The saved query that the text comes from. */
  saved?: { id: string; version: number };
  /** How the result is looked at; its rows where it is absent. */
  shown?: Shown;
  /** What its pivot is made of. */
  pivot?: PivotChoice;
  compare?: Comparison;
};

export const CLOSED_TABS_MAX = 40;

export const newTab = (place: number, given: Partial<Tab> = {}): Tab => ({
  id: crypto.randomUUID(),
  title: "",
  text: "",
  integrationId: null,
  values: {},
  place,
  ...given,
});

/** What a tab is called that nobody named: its first words. */
export function titleOf({ title, text }: Pick<Tab, "title" | "text">): string {
  if (title) return title;
  const words = text
    .replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, " ")
    .trim()
    .replace(/\s+/g, " ");
  const table = /\bfrom\s+([\w."]+)/i.exec(words)?.[1]?.split(".").at(-1)?.replaceAll('"', "");
  return (table ?? words.slice(0, 24)) || "New query";
}

/** A tab from what a storage holds; undefined where it is none. */
export function readTab(text: string | null): Tab | undefined {
  try {
    const kept = JSON.parse(text ?? "") as Partial<Tab> | null;
    if (typeof kept?.id !== "string" || typeof kept.text !== "string") return undefined;
    return {
      ...newTab(typeof kept.place === "number" ? kept.place : 0),
      ...kept,
      values: typeof kept.values === "object" && kept.values !== null ? kept.values : {},
    };
  } catch {
    return undefined;
  }
}
