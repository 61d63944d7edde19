// A plan bounds what a team may hold, use in a month and ask for in a minute. Null: no bound but those of `limits.ts`.

export const HELD = ["users", "keys", "integrations", "docs", "jobs", "saved_queries"] as const;
export type Held = (typeof HELD)[number];

/** What is added up over a month as it is used. */
export const USED = ["runSeconds", "rowsSynced"] as const;
/** What is measured from time to time. */
export const STORED = ["driveBytes", "lakeBytes"] as const;
export type Metered = (typeof USED)[number] | (typeof STORED)[number];

type Bounds = {
  held: Record<Held, number | null>;
  /** Bounds for a calendar month, in UTC. */
  monthly: Record<"queries" | (typeof USED)[number], number | null>;
  stored: Record<(typeof STORED)[number], number | null>;
  /** Requests in a minute: of one key, and of the team. */
  rates: { key: number; team: number } | null;
  /** Engines, where the installation has several for a team. */
  engines: number;
};

export const PLAN_BOUNDS = {
  free: {
    held: { users: 5, keys: 20, integrations: 5, docs: 20, jobs: 10, saved_queries: 50 },
    monthly: { queries: 10_000, runSeconds: 36_000, rowsSynced: 10_000_000 },
    stored: { driveBytes: 10_000_000_000, lakeBytes: 10_000_000_000 },
    rates: { key: 1_200, team: 2_400 },
    engines: 1,
  },
  trial: {
    held: { users: 20, keys: 100, integrations: 20, docs: 100, jobs: 50, saved_queries: 500 },
    monthly: { queries: 100_000, runSeconds: 360_000, rowsSynced: 100_000_000 },
    stored: { driveBytes: 100_000_000_000, lakeBytes: 100_000_000_000 },
    rates: { key: 6_000, team: 12_000 },
    engines: 1,
  },
  standard: {
    held: { users: null, keys: null, integrations: null, docs: null, jobs: null, saved_queries: null },
    monthly: { queries: 10_000_000, runSeconds: 36_000_000, rowsSynced: 10_000_000_000 },
    stored: { driveBytes: null, lakeBytes: null },
    rates: { key: 60_000, team: 120_000 },
    engines: 2,
  },
  enterprise: {
    held: { users: null, keys: null, integrations: null, docs: null, jobs: null, saved_queries: null },
    monthly: { queries: null, runSeconds: null, rowsSynced: null },
    stored: { driveBytes: null, lakeBytes: null },
    rates: null,
    engines: 8,
  },
} as const satisfies Record<string, Bounds>;
export type TeamPlan = keyof typeof PLAN_BOUNDS;

/** Read as what every plan has. */
export const boundsOf = (plan: TeamPlan): Bounds => PLAN_BOUNDS[plan];

/** `2026-11`, in UTC. */
export const monthOf = (now: Date): string => now.toISOString().slice(0, 7);

/** When the month's use begins anew. */
export const monthEndsAt = (now: Date): string =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)).toISOString();
