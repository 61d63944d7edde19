// The messages that Workers send each other: what each looks like, and how it is sent. `src/queues.ts` has their
// consumers.

import { z } from "zod";

/**
 * A wake-up message says only that there may be something to do; what, its consumer reads from the row of this id. So
 * one that comes twice, late or in another order does no harm, and a sweep makes up for one that is lost.
 */
export const WakeUp = z.object({
  kind: z.enum([
    "automation_run",
    "alert_delivery",
    "lake_collection",
    "lake_removal",
    "outgoing_message",
    "rights_lost",
    "sync_run",
    "team_removal",
  ]),
  version: z.literal(1),
  teamId: z.string(),
  id: z.string(),
});
export type WakeUp = z.infer<typeof WakeUp>;

/**
 * What a wake-up message is about: a lake, a team, a run of a sync or an automation, the delivery of an alert,
 * an outgoing message, or the user or the doc whose going took rights away.
 */
export type WakeUpSubject = Pick<WakeUp, "teamId" | "id">;

/** One that can't be sent is made up for by a sweep, so it is logged, and no failure of whoever sends it. */
export type WakeUps = {
  /** Whether it was sent. */
  send(kind: WakeUp["kind"], subject: WakeUpSubject, delayMs?: number): Promise<boolean>;
  /** How many were sent. */
  sendAll(kind: WakeUp["kind"], subjects: readonly WakeUpSubject[], delayMs?: number): Promise<number>;
};

/** A queue takes so many messages at once. */
const BATCH_MAX = 100;
/** The longest a queue holds a message back. */
const DELAY_SECONDS_MAX = 43_200;

/** A batch waits for its slowest message, so what waits for others is in no queue with runs. */
const QUEUE_OF = {
  automation_run: "WAKE_UPS",
  rights_lost: "WAKE_UPS",
  sync_run: "WAKE_UPS",
  alert_delivery: "ALERT_WAKE_UPS",
  outgoing_message: "ALERT_WAKE_UPS",
  lake_collection: "CLEANUP_WAKE_UPS",
  lake_removal: "CLEANUP_WAKE_UPS",
  team_removal: "CLEANUP_WAKE_UPS",
} as const satisfies Record<WakeUp["kind"], keyof Env>;

type Queues = Pick<Env, (typeof QUEUE_OF)[WakeUp["kind"]]>;

export function openWakeUps(queues: Queues): WakeUps {
  return {
    async send(kind, subject, delayMs = 0) {
      const queue = queues[QUEUE_OF[kind]];
      return isSent(queue.send(messageOf(kind, subject), { delaySeconds: secondsOf(delayMs) }), kind, 1);
    },

    async sendAll(kind, subjects, delayMs = 0) {
      const queue = queues[QUEUE_OF[kind]];
      const delaySeconds = secondsOf(delayMs);
      let sent = 0;
      for (let from = 0; from < subjects.length; from += BATCH_MAX) {
        const batch = subjects.slice(from, from + BATCH_MAX).map((subject) => ({ body: messageOf(kind, subject) }));
        if (await isSent(queue.sendBatch(batch, { delaySeconds }), kind, batch.length)) sent += batch.length;
      }
      return sent;
    },
  };
}

const secondsOf = (delayMs: number): number => Math.min(DELAY_SECONDS_MAX, Math.max(0, Math.ceil(delayMs / 1_000)));

const messageOf = (kind: WakeUp["kind"], { teamId, id }: WakeUpSubject): WakeUp => ({ kind, version: 1, teamId, id });

const isSent = (sending: Promise<unknown>, kind: WakeUp["kind"], messages: number): Promise<boolean> =>
  sending.then(
    () => true,
    (error: unknown) => {
      console.error(JSON.stringify({ event: "wake_up_not_sent", kind, messages, cause: String(error) }));
      return false;
    },
  );
