// The kinds of work this engine does.

import { Failure } from "../core/failure.ts";
import type { WorkKinds } from "./running-work.ts";
import { loadSample } from "./sample/load-sample.ts";
import { SharedStaging } from "./sync/rows/shared-staging.ts";
import { SyncJob } from "./sync/sync-job.ts";

/** `rangeRows`: see {@link SyncJob}. */
export function workKinds(rangeRows?: number): WorkKinds {
  const staging = new SharedStaging();
  return {
    sync: (work, context) => new SyncJob(work, context, { staging, rangeRows }),
    load_sample: (work, context) => ({ run: () => loadSample(work, context), progress: () => undefined }),
    maintenance: () => ({
      run: () => Promise.reject(new Failure("bad_request", "This engine does not maintain lakes yet.")),
      progress: () => undefined,
    }),
  };
}
