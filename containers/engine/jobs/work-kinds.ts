// The kinds of work this engine does.

import type { LakeSettings } from "../core/settings.ts";
import { MaintenanceJob } from "./maintenance/maintenance-job.ts";
import type { WorkKinds } from "./running-work.ts";
import { loadSample } from "./sample/load-sample.ts";
import { SharedStaging } from "./sync/rows/shared-staging.ts";
import { SyncJob } from "./sync/sync-job.ts";

/** `settings`: what a maintenance's process may use. `rangeRows`: see {@link SyncJob}. */
export function workKinds(settings: LakeSettings, rangeRows?: number): WorkKinds {
  const staging = new SharedStaging();
  return {
    sync: (work, context) => new SyncJob(work, context, { staging, rangeRows }),
    load_sample: (work, context) => ({ run: () => loadSample(work, context), progress: () => undefined }),
    maintenance: (work, context) => new MaintenanceJob(work, context, settings),
  };
}
