// A delivery's results come to be by its source's reading, which begins, watches and ends it.

import type { Scope } from "../../../../core/scope.ts";
import type { DeliverySource } from "../../../deliveries/delivery.ts";
import type { ReadResults } from "../../../deliveries/send/results.ts";
import type { Run } from "../../runs/run.ts";
import type { AutomationDeps, Outcome } from "../kind.ts";

/**
 * How results come to be, by what is sent. Each may come again for the same attempt. `saidAt`: when somebody said last
 * what the delivery sends to whom.
 */
export type Reading<Source extends DeliverySource> = {
  start(deps: AutomationDeps, run: Run, asked: { source: Source; owner: Scope; saidAt: string }): Promise<Outcome>;
  /** Where the results are, or why there are none yet, or will not be. None is opened. */
  watch(deps: AutomationDeps, run: Run, asked: { source: Source; owner: Scope }): Promise<ReadResults | Outcome>;
  /** Lets go of what nobody needs once the results were handed over, or can't be. A sweep makes up for what is left. */
  forget(deps: AutomationDeps, run: Run): Promise<void>;
  /** Ends what has the attempt's id; that there is nothing of it is as good. */
  stop(deps: AutomationDeps, run: Run, now: Date): Promise<void>;
};
