// All screens of the console, in the order of its navigation. A screen that is not listed here cannot be reached; one
// that is listed is in the navigation, in the palette and in the tests that look at every screen.

import type { ComponentType } from "react";
import type { Right } from "../api/me.ts";
import type { IconName } from "../ui/icons.tsx";

export type ScreenGroup = "start" | "ask" | "data" | "work" | "operate";

export const GROUP_TITLES: Record<ScreenGroup, string> = {
  start: "",
  ask: "Ask",
  data: "Data",
  work: "Work",
  operate: "Operate",
};

export type Screen = {
  title: string;
  group: ScreenGroup;
  icon: IconName;
  /** Below /app; the screen shows everything beneath it, too. */
  path: string;
  /** Who lacks it does not see the screen. */
  right: Right | "any_key";
  /** Words by which the palette finds the screen, besides its title. */
  words: string;
  load(): Promise<{ default: ComponentType }>;
};

export const SCREENS = {
  home: {
    title: "Home",
    group: "start",
    icon: "home",
    path: "/",
    right: "any_key",
    words: "start overview connect snippets",
    load: () => import("./start/screen.tsx"),
  },
} as const satisfies Record<string, Screen>;

export type ScreenName = keyof typeof SCREENS;

export const SCREEN_LIST: readonly (Screen & { name: ScreenName })[] = (Object.keys(SCREENS) as ScreenName[]).map(
  (name) => ({ name, ...SCREENS[name] }),
);
