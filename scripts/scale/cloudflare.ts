// Cloudflare's published prices and limits, Workers Paid, each with the page that it stands on.

const DOCS = "https://developers.cloudflare.com";

/** The day on which copies of the pages were read. */
export const READ_ON = "2026-11-29";

/** `of`: the day that the copy of the page is of; null where the copy does not say. */
export const PAGES = {
  workersPricing: { name: "Workers, pricing", url: `${DOCS}/workers/platform/pricing/`, of: "2026-08-03" },
  workersLimits: { name: "Workers, limits", url: `${DOCS}/workers/platform/limits/`, of: "2026-07-28" },
  d1Pricing: { name: "D1, pricing", url: `${DOCS}/d1/platform/pricing/`, of: "2026-10-05" },
  d1Limits: { name: "D1, limits", url: `${DOCS}/d1/platform/limits/`, of: "2026-04-21" },
  objectsPricing: {
    name: "Durable Objects, pricing",
    url: `${DOCS}/durable-objects/platform/pricing/`,
    of: "2026-10-06",
  },
  objectsLimits: { name: "Durable Objects, limits", url: `${DOCS}/durable-objects/platform/limits/`, of: null },
  queuesPricing: { name: "Queues, pricing", url: `${DOCS}/queues/platform/pricing/`, of: null },
  queuesLimits: { name: "Queues, limits", url: `${DOCS}/queues/platform/limits/`, of: null },
  r2Pricing: { name: "R2, pricing", url: `${DOCS}/r2/pricing/`, of: "2026-08-03" },
  containersPricing: { name: "Containers, pricing", url: `${DOCS}/containers/pricing/`, of: "2026-08-03" },
  containersLimits: { name: "Containers, limits", url: `${DOCS}/containers/platform/limits/`, of: null },
} as const satisfies Record<string, { name: string; url: string; of: string | null }>;

export type Page = keyof typeof PAGES;

/** A month's use beyond `included` costs `usd` for each `per`. */
export type Price = { of: string; included: number; usd: number; per: number; page: Page };

const M = 1e6;

/** What the plan itself costs a month. */
export const PLAN_USD = 5;

export const PRICES = {
  requests: { of: "requests to the Worker", included: 10 * M, usd: 0.3, per: M, page: "workersPricing" },
  cpuMs: { of: "milliseconds of the Worker's CPU", included: 30 * M, usd: 0.02, per: M, page: "workersPricing" },
  d1RowsRead: { of: "rows that D1 reads", included: 25e9, usd: 0.001, per: M, page: "d1Pricing" },
  d1RowsWritten: { of: "rows that D1 writes", included: 50 * M, usd: 1, per: M, page: "d1Pricing" },
  d1Gb: { of: "GB in D1", included: 5, usd: 0.75, per: 1, page: "d1Pricing" },
  objectRequests: { of: "calls of Durable Objects", included: M, usd: 0.15, per: M, page: "objectsPricing" },
  objectGbSeconds: {
    of: "GB-seconds of Durable Objects",
    included: 400_000,
    usd: 12.5,
    per: M,
    page: "objectsPricing",
  },
  objectRowsRead: { of: "rows that objects read", included: 25e9, usd: 0.001, per: M, page: "objectsPricing" },
  objectRowsWritten: { of: "rows that objects write", included: 50 * M, usd: 1, per: M, page: "objectsPricing" },
  objectGb: { of: "GB in Durable Objects", included: 5, usd: 0.2, per: 1, page: "objectsPricing" },
  queueOperations: { of: "operations of queues", included: M, usd: 0.4, per: M, page: "queuesPricing" },
  bucketGb: { of: "GB in R2", included: 10, usd: 0.015, per: 1, page: "r2Pricing" },
  classA: { of: "class A operations of R2", included: M, usd: 4.5, per: M, page: "r2Pricing" },
  classB: { of: "class B operations of R2", included: 10 * M, usd: 0.36, per: M, page: "r2Pricing" },
  containerGibSeconds: {
    of: "GiB-seconds of containers' memory",
    included: 25 * 3_600,
    usd: 0.0000025,
    per: 1,
    page: "containersPricing",
  },
  containerCpuSeconds: {
    of: "vCPU-seconds of containers",
    included: 375 * 60,
    usd: 0.00002,
    per: 1,
    page: "containersPricing",
  },
  containerDiskGbSeconds: {
    of: "GB-seconds of containers' disks",
    included: 200 * 3_600,
    usd: 0.00000007,
    per: 1,
    page: "containersPricing",
  },
} as const satisfies Record<string, Price>;

export type Billed = keyof typeof PRICES;

/** What a Durable Object is billed for while it is in memory, whatever it uses. */
export const OBJECT_GB = 0.128;
/** A message is written, read and deleted. */
export const OPERATIONS_PER_MESSAGE = 3;

/** Containers' instance types: vCPUs, GiB of memory, GB of disk. */
export const INSTANCE_TYPES = {
  lite: { vcpu: 1 / 16, gib: 0.25, diskGb: 2 },
  basic: { vcpu: 1 / 4, gib: 1, diskGb: 4 },
  "standard-1": { vcpu: 1 / 2, gib: 4, diskGb: 8 },
  "standard-2": { vcpu: 1, gib: 6, diskGb: 12 },
  "standard-3": { vcpu: 2, gib: 8, diskGb: 16 },
  "standard-4": { vcpu: 4, gib: 12, diskGb: 20 },
} as const;

export type InstanceType = keyof typeof INSTANCE_TYPES;

/** A published limit. `of`: what it limits, as a table of the page names it. */
export type Limit = { of: string; value: number; page: Page };

export const LIMITS = {
  containersGib: { of: "GiB of memory of an account's containers", value: 6 * 1_024, page: "containersLimits" },
  containersCpus: { of: "vCPUs of an account's containers", value: 1_500, page: "containersLimits" },
  containersDiskGb: { of: "GB of disk of an account's containers", value: 30_000, page: "containersLimits" },
  d1Gb: { of: "GB of a D1 database", value: 10, page: "d1Limits" },
  /** Cloudflare raises it on request. */
  d1AccountGb: { of: "GB of an account's D1 databases", value: 1_000, page: "d1Limits" },
  /** It does one at a time: a thousand a second where one takes a millisecond. */
  d1PerSecond: { of: "statements a second of a D1 database, of 1 ms each", value: 1_000, page: "d1Limits" },
  objectGb: { of: "GB of a Durable Object", value: 10, page: "objectsLimits" },
  objectPerSecond: { of: "calls a second of a Durable Object (soft)", value: 1_000, page: "objectsLimits" },
  objectCpuSeconds: {
    of: "seconds of CPU of one call of an object, where `limits.cpu_ms` does not say more",
    value: 30,
    page: "objectsLimits",
  },
  objectMb: { of: "MB of memory of a Worker's isolate or an object", value: 128, page: "workersLimits" },
  queuePerSecond: { of: "messages a second of a queue", value: 5_000, page: "queuesLimits" },
} as const satisfies Record<string, Limit>;
