// Queue name → consumer. A message is a nudge: the consumer re-reads the row, so duplicates and reordering are
// harmless.

import { z } from "zod";
import { collectLakeObjects } from "./features/lakes/collect-objects.ts";
import { removeLakeObjects } from "./features/lakes/remove-objects.ts";
import { openRunMatter } from "./features/syncs/runs/step/run-deps.ts";
import { stepRun } from "./features/syncs/runs/step/step-run.ts";

const Nudge = z.object({
  kind: z.enum(["lake_collection", "lake_removal", "sync_run"]),
  version: z.literal(1),
  teamId: z.string(),
  id: z.string(),
});
type Nudge = z.infer<typeof Nudge>;

const WORK: Record<Nudge["kind"], (env: Env, nudge: Nudge) => Promise<unknown>> = {
  lake_collection: collectLakeObjects,
  lake_removal: removeLakeObjects,
  sync_run: (env, nudge) => stepRun(openRunMatter(env), nudge),
};

type Consume = (env: Env, message: Message) => Promise<void>;

export const QUEUES: Record<string, Consume> = { "fjord-nudges": consumeNudge };

/** Every message is settled by itself, so that a poisonous one does not repeat its neighbours. */
async function consumeNudge(env: Env, message: Message): Promise<void> {
  const nudge = Nudge.safeParse(message.body);
  if (!nudge.success) {
    console.error(JSON.stringify({ event: "nudge_unknown", messageId: message.id }));
    return message.ack();
  }
  try {
    await WORK[nudge.data.kind](env, nudge.data);
    message.ack();
  } catch (error) {
    console.error(
      JSON.stringify({ event: "nudge_failed", ...nudge.data, attempts: message.attempts, cause: String(error) }),
    );
    message.retry({ delaySeconds: Math.min(2 ** message.attempts, RETRY_SECONDS_MAX) });
  }
}

const RETRY_SECONDS_MAX = 300;
