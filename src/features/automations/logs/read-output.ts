// A run's output is the words of its failures, its progress and its log. It is shown to whoever may know it.

import type { ResourceKind } from "../resources/kind.ts";
import { RESOURCES } from "../resources/resources.ts";

export const mayReadOutput: ResourceKind["mayReadOutput"] = (ctx, run) =>
  RESOURCES[run.resourceType].mayReadOutput(ctx, run);

/** A run, or an attempt, for whom its output is not: that it failed shows, and not why. */
export const withoutReason = <Shown extends { error: string | null }>(shown: Shown): Shown => ({
  ...shown,
  error: null,
});
