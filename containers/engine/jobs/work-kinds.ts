// The kinds of work this engine does. The code of a kind of work is loaded by the first job of that kind: most of an
// engine's code is theirs.

import type { LakeSettings } from "../core/settings.ts";
import type { WorkKinds } from "./running-work.ts";
import type { SharedStaging } from "./sync/rows/shared-staging.ts";

/** `settings`: what a maintenance's process may use. `rangeRows`: see {@link SyncJob}. */
export function workKinds(settings: LakeSettings, rangeRows?: number): WorkKinds {
  let staging: SharedStaging | undefined;
  return {
    async sync(work, context) {
      const { SharedStaging } = await import("./sync/rows/shared-staging.ts");
      const { SyncJob } = await import("./sync/sync-job.ts");
      staging ??= new SharedStaging();
      return new SyncJob(work, context, { staging, rangeRows });
    },
    async load_sample(work, context) {
      const { loadSample } = await import("./sample/load-sample.ts");
      return { run: () => loadSample(work, context), progress: () => undefined };
    },
    async maintenance(work, context) {
      const { MaintenanceJob } = await import("./maintenance/maintenance-job.ts");
      return new MaintenanceJob(work, context, settings);
    },
  };
}
