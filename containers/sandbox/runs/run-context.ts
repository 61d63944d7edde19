// The dependencies that the datasets of one run share.

import type { ObjectStore } from "../../program/object-store.ts";
import type { Semaphore } from "../../program/semaphore.ts";
import type { RunOrder } from "../../../kernel/wire/sandbox.ts";
import type { Ask, Drive } from "../drive/drive.ts";
import type { Envelope } from "../envelope/envelopes.ts";
import type { WorkerPool } from "../processes/pool.ts";
import type { Proxy } from "../proxy/proxy.ts";
import type { RunPlatform } from "./run-platform.ts";
import type { DatasetOutputs } from "./dataset-outputs.ts";

/** The dependencies that all runs of a sandbox share. */
export type RunServices = {
  platformUrl: string;
  store: ObjectStore;
  directory: string;
  resultBytesMax: number;
  pool: WorkerPool;
  proxy: Proxy;
  drive: Drive;
  /** The reason why no worker finds the drive; null where workers find it. */
  driveProblem: string | null;
  /** The folders of a doc's own packages, and what is wrong with those that everybody has. */
  packages: (requirements: string[]) => Promise<{ folders: string[]; problem: string | null }>;
};

export type RunContext = {
  order: RunOrder;
  services: RunServices;
  envelope: Envelope | undefined;
  outputs: DatasetOutputs;
  platform: RunPlatform;
  /** Bounds the queries that are under way at once. */
  queries: Semaphore;
  /** Aborts with why the run ends, in words for people. */
  signal: AbortSignal;
  ask: Ask;
  /** Settles with what is wrong with the drive, or null; undefined where no dataset could read it. */
  driveReady: Promise<string | null> | undefined;
};
