// Queue name → consumer. What the messages look like and how they are sent is in `platform/messages.ts`.

import { deliverAlert } from "./features/alerts/deliveries/deliver.ts";
import { sendMessage } from "./features/messages/send.ts";
import { cutWork } from "./features/automations/cancelling/cut.ts";
import { AUTOMATION_WORK } from "./features/automations/automation-work.ts";
import { collectLakeObjects } from "./features/lakes/collect-objects.ts";
import { removeLakeObjects } from "./features/lakes/remove-objects.ts";
import { SYNC_WORK } from "./features/syncs/runs/step/sync-work.ts";
import { noteDeadLetter } from "./features/operations/note-dead-letter.ts";
import { removeTeam } from "./features/teams/removal/remove-team.ts";
import { takeDeadLetter } from "./features/work-model/dead-letter.ts";
import type { WorkKind } from "./features/work-model/kind.ts";
import type { WorkRun } from "./features/work-model/run.ts";
import { stepRun } from "./features/work-model/step-run.ts";
import type { Clients } from "./clients/clients.ts";
import { WakeUp } from "./platform/messages.ts";
import { TRANSPORTS } from "./transports.ts";

/**
 * Who works on what a wake-up message names. Each re-reads the row, so duplicates and reordering are harmless. `dead`
 * takes what `work` could not do however often it was tried; without it a sweep makes up for that.
 */
type Consumer = {
  work(clients: Clients, wakeUp: WakeUp): Promise<unknown>;
  dead?(clients: Clients, wakeUp: WakeUp): Promise<unknown>;
};

const runsOf = <Run extends WorkRun, Progress>(kind: WorkKind<Run, Clients, Progress>): Consumer => ({
  work: (clients, wakeUp) => stepRun(kind, clients, wakeUp),
  dead: (clients, wakeUp) => takeDeadLetter(kind, clients, wakeUp),
});

const CONSUMERS: Record<WakeUp["kind"], Consumer> = {
  alert_delivery: { work: (clients, wakeUp) => deliverAlert(clients, wakeUp) },
  automation_run: runsOf(AUTOMATION_WORK),
  lake_collection: { work: collectLakeObjects },
  lake_removal: { work: removeLakeObjects },
  outgoing_message: { work: (clients, wakeUp) => sendMessage(clients, TRANSPORTS, wakeUp) },
  rights_lost: { work: (clients, { teamId }) => cutWork(clients, teamId, new Date()) },
  sync_run: runsOf(SYNC_WORK),
  team_removal: { work: (clients, wakeUp) => removeTeam(clients, wakeUp) },
};

type Consume = (clients: Clients, message: Message) => Promise<void>;

/** Each queue takes messages of every kind; which kind goes to which is for whoever sends them. */
const wake: Consume = (clients, message) =>
  settle(message, "wake_up_failed", (wakeUp) => CONSUMERS[wakeUp.kind].work(clients, wakeUp));

/** Queues keep the name they were first deployed under: to rename one would cost every operator work, for a word. */
export const QUEUES: Record<string, Consume> = {
  "fjord-nudges": wake,
  "fjord-alerts": wake,
  "fjord-cleanup": wake,
  "fjord-nudges-dead": (clients, message) =>
    settle(message, "dead_letter_failed", async (wakeUp) => {
      const isEnded = (await CONSUMERS[wakeUp.kind].dead?.(clients, wakeUp)) === true;
      await noteDeadLetter(clients, wakeUp, new Date());
      console.error(JSON.stringify({ event: "wake_up_dead", ...wakeUp, isEnded }));
    }),
};

const RETRY_SECONDS_MAX = 300;

/** Every message is settled by itself, so that a poisonous one does not repeat its neighbours. */
async function settle(message: Message, event: string, work: (wakeUp: WakeUp) => Promise<unknown>): Promise<void> {
  const wakeUp = WakeUp.safeParse(message.body);
  if (!wakeUp.success) {
    console.error(JSON.stringify({ event: "wake_up_unknown", messageId: message.id }));
    return message.ack();
  }
  try {
    await work(wakeUp.data);
    message.ack();
  } catch (error) {
    const attempts = message.attempts;
    console.error(JSON.stringify({ event, ...wakeUp.data, attempts, cause: String(error) }));
    message.retry({ delaySeconds: Math.min(2 ** attempts, RETRY_SECONDS_MAX) });
  }
}
