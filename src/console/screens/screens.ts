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

const SCREENS = {
  home: {
    title: "Home",
    group: "start",
    icon: "home",
    right: "any_key",
    words: "start overview connect snippets",
    load: () => import("./start/screen.tsx"),
  },
  query: {
    title: "Query",
    group: "ask",
    icon: "query",
    right: "query",
    words: "sql editor statement run workspace",
    load: () => import("./query/screen.tsx"),
  },
  queries: {
    title: "Saved queries",
    group: "ask",
    icon: "saved",
    right: "query",
    words: "library versions certified publish deliver",
    load: () => import("./queries/screen.tsx"),
  },
  knowledge: {
    title: "Knowledge",
    group: "ask",
    icon: "knowledge",
    right: "query",
    words: "glossary terms definitions verified questions agents mcp",
    load: () => import("./knowledge/screen.tsx"),
  },
  endpoints: {
    title: "Endpoints",
    group: "ask",
    icon: "endpoint",
    right: "endpoints:manage",
    words: "publish api keys tokens",
    load: () => import("./endpoints/screen.tsx"),
  },
  explore: {
    title: "Explore",
    group: "ask",
    icon: "explore",
    right: "query",
    words: "semantic cube measures dimensions metrics pivot chart",
    load: () => import("./explore/screen.tsx"),
  },
  catalog: {
    title: "Catalog",
    group: "data",
    icon: "catalog",
    right: "catalog:read",
    words: "tables schemas columns lineage snapshots profile lake",
    load: () => import("./catalog/screen.tsx"),
  },
  models: {
    title: "Semantic models",
    group: "data",
    icon: "model",
    right: "integrations:write",
    words: "cube semantic layer yaml measures dimensions joins draft",
    load: () => import("./models/screen.tsx"),
  },
  integrations: {
    title: "Integrations",
    group: "data",
    icon: "integration",
    right: "integrations:read",
    words: "connect database source postgres mysql lake",
    load: () => import("./integrations/screen.tsx"),
  },
  syncs: {
    title: "Syncs",
    group: "data",
    icon: "sync",
    right: "integrations:read",
    words: "pipelines runs schedule load tables late stuck",
    load: () => import("./syncs/screen.tsx"),
  },
  drive: {
    title: "Drive",
    group: "data",
    icon: "drive",
    right: "drive",
    words: "files upload download csv parquet folders",
    load: () => import("./drive/screen.tsx"),
  },
  lake: {
    title: "Lake",
    group: "operate",
    icon: "lake",
    right: "lake:manage",
    words: "health maintenance files orphans snapshots compaction",
    load: () => import("./lake/screen.tsx"),
  },
  dashboards: {
    title: "Dashboards",
    group: "ask",
    icon: "dashboard",
    right: "docs:read",
    words: "charts tiles kpi reports filters",
    load: () => import("./dashboards/screen.tsx"),
  },
  docs: {
    title: "Docs",
    group: "work",
    icon: "doc",
    right: "docs:read",
    words: "pipelines datasets runs webhook yaml python",
    load: () => import("./docs/screen.tsx"),
  },
  automations: {
    title: "Jobs",
    group: "work",
    icon: "automation",
    right: "jobs:read",
    words: "automations schedule cron runs attempts replay",
    load: () => import("./automations/screen.tsx"),
  },
  deliveries: {
    title: "Deliveries",
    group: "work",
    icon: "delivery",
    right: "jobs:write",
    words: "mail slack teams webhook messages destinations alerts addresses",
    load: () => import("./deliveries/screen.tsx"),
  },
  people: {
    title: "People",
    group: "operate",
    icon: "people",
    right: "team:manage",
    words: "members users keys see as",
    load: () => import("./people/screen.tsx"),
  },
  roles: {
    title: "Data roles",
    group: "operate",
    icon: "key",
    right: "team:manage",
    words: "access grants filters rows columns",
    load: () => import("./roles/screen.tsx"),
  },
  audit: {
    title: "Audit log",
    group: "operate",
    icon: "history",
    right: "team:manage",
    words: "events who changed",
    load: () => import("./audit/screen.tsx"),
  },
  usage: {
    title: "Usage",
    group: "operate",
    icon: "usage",
    right: "team:manage",
    words: "quota plan limits bytes",
    load: () => import("./usage/screen.tsx"),
  },
  teams: {
    title: "Teams",
    group: "operate",
    icon: "teams",
    right: "platform:operate",
    words: "operator platform queues plans",
    load: () => import("./teams/screen.tsx"),
  },
  settings: {
    title: "Settings",
    group: "operate",
    icon: "settings",
    right: "secrets:read",
    words: "secrets sandbox internet python identity provider sign-on oidc domains",
    load: () => import("./settings/screen.tsx"),
  },
  account: {
    title: "Account",
    group: "operate",
    icon: "account",
    right: "any_key",
    words: "me sessions sign out passkeys rights identity provider",
    load: () => import("./account/screen.tsx"),
  },
} as const satisfies Record<string, Omit<Screen, "path">>;

export type ScreenName = keyof typeof SCREENS;

export const SCREEN_LIST: readonly (Screen & { name: ScreenName })[] = (Object.keys(SCREENS) as ScreenName[]).map(
  (name) => ({ name, path: name === "home" ? "/" : `/${name}`, ...SCREENS[name] }),
);
