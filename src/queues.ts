// Queue name → consumer. What the messages look like and how they are sent is in `platform/messages.ts`.

import { deliverAlert } from "./features/alerts/deliveries/deliver.ts";
import { collectLakeObjects } from "./features/lakes/collect-objects.ts";
import { removeLakeObjects } from "./features/lakes/remove-objects.ts";
import { SYNC_WORK } from "./features/syncs/runs/step/sync-work.ts";
import { stepRun } from "./features/work/step-run.ts";
import type { Clients } from "./platform/clients.ts";
import { WakeUp } from "./platform/messages.ts";

/** Who works on what a wake-up message names. Each re-reads the row, so duplicates and reordering are harmless. */
const WORK: Record<WakeUp["kind"], (clients: Clients, wakeUp: WakeUp) => Promise<unknown>> = {
  alert_delivery: (clients, wakeUp) => deliverAlert(clients, wakeUp),
  lake_collection: collectLakeObjects,
  lake_removal: removeLakeObjects,
  sync_run: (clients, wakeUp) => stepRun(SYNC_WORK, clients, wakeUp),
};

type Consume = (clients: Clients, message: Message) => Promise<void>;

/** The queue keeps the name it was first deployed under: to rename it would cost every operator work, for a word. */
export const QUEUES: Record<string, Consume> = { "fjord-nudges": consumeWakeUp };

const RETRY_SECONDS_MAX = 300;

/** Every message is settled by itself, so that a poisonous one does not repeat its neighbours. */
async function consumeWakeUp(clients: Clients, message: Message): Promise<void> {
  const wakeUp = WakeUp.safeParse(message.body);
  if (!wakeUp.success) {
    console.error(JSON.stringify({ event: "wake_up_unknown", messageId: message.id }));
    return message.ack();
  }
  try {
    await WORK[wakeUp.data.kind](clients, wakeUp.data);
    message.ack();
  } catch (error) {
    console.error(
      JSON.stringify({ event: "wake_up_failed", ...wakeUp.data, attempts: message.attempts, cause: String(error) }),
    );
    message.retry({ delaySeconds: Math.min(2 ** message.attempts, RETRY_SECONDS_MAX) });
  }
}
