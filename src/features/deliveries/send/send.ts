// A run of a delivery hands over its messages once, together with what its condition saw.

import type { Needs } from "../../../clients/context.ts";
import { Problem } from "../../../core/problem.ts";
import { publishStatements } from "../../linked-files/link.ts";
import type { LinkedFileRow } from "../../linked-files/linked-file.ts";
import { contentKeyOf, planMessage, type Message } from "../../messages/message.ts";
import { hasMessage, messagesStatement } from "../../messages/of-run.ts";
import { wakeMessages } from "../../messages/wake.ts";
import type { DeliveryRow } from "../delivery.ts";
import { changedMeanwhile } from "../find.ts";
import { targetOf } from "../recipients.ts";
import { UnreadableResult } from "../render/result/unreadable.ts";
import { hasRun, updateDeliveryRow } from "../store.ts";
import { composeDraft } from "./compose.ts";
import { judgeResults } from "./judge-results.ts";
import { writeLinkedFiles } from "./link-files.ts";
import { openResults } from "./open-results.ts";
import { planParts } from "./parts.ts";
import type { ReadResults } from "./results.ts";
import { takeBack } from "./take-back.ts";
import { whileAlone } from "./while-alone.ts";

export type SendDeps = Needs<"db" | "bucket" | "settings" | "wakeUps">;

type Ctx = SendDeps & Needs<"scope">;
type Sending = { delivery: DeliveryRow; runId: string; read: ReadResults };

/**
 * `sent`: there are messages. `kept`: the condition keeps the run from sending any. `busy`: another delivery is
 * composed here now, and this one is to be tried again.
 */
export type Handed = "sent" | "kept" | "busy";

/**
 * Hands over the messages of a run, or notes that its condition keeps it from sending any. Throws `resource_conflict`
 * where the delivery was changed, or a run of it has been noted, meanwhile; and the Problem of results that can't be
 * sent. What throws has left nothing behind.
 */
export const sendResults = (ctx: Ctx, sending: Sending): Promise<Handed> =>
  whileAlone(() => handOver(ctx, sending)).catch((error: unknown) => {
    if (!(error instanceof UnreadableResult)) throw error;
    throw new Problem("validation_failed", error.message, [], { cause: error });
  });

async function handOver(ctx: Ctx, { delivery, runId, read }: Sending): Promise<Handed> {
  const { scope } = ctx;
  const results = openResults(ctx, read.stored);
  const judgement = await judgeResults(ctx, delivery, read.stored, results);
  const next: DeliveryRow = {
    ...delivery,
    conditionState: judgement.state,
    ...{ lastRunId: runId, lastRunAt: scope.now.toISOString(), lastRunSent: judgement.isDue },
    revision: delivery.revision + 1,
  };
  const messages = judgement.isDue ? planMessages(delivery, runId, scope.now) : [];
  const [first] = messages;
  if (!first) {
    await commit(ctx, { before: delivery, next, messages, links: [] });
    return "kept";
  }
  const parts = await planParts(ctx, delivery, read);
  const { objects, links } = await composeDraft(ctx, { delivery, judgement, parts, results, first });
  try {
    const written = await writeLinkedFiles(ctx, { delivery, links, results });
    for (const { key, bytes } of objects) await ctx.bucket.write(key, bytes);
    await commit(ctx, { before: delivery, next, messages, links: written });
  } catch (error) {
    await takeBack(ctx, { first, links: links.map(({ row }) => row), now: scope.now });
    throw error;
  }
  await wakeMessages(ctx, scope.teamId, scope.now);
  return "sent";
}

type Commit = { before: DeliveryRow; next: DeliveryRow; messages: readonly Message[]; links: readonly LinkedFileRow[] };

/** Whoever is second finds the messages of the first, or a delivery that another run has moved on. */
async function commit({ db }: Needs<"db">, { before, next, messages, links }: Commit): Promise<void> {
  const [first] = messages;
  const [noted] = await db.batch([
    updateDeliveryRow(db, before, next),
    messagesStatement(db, messages, hasRun(next)),
    ...(first ? publishStatements(db, links, hasMessage(first)) : []),
  ]);
  if (noted.length === 0) throw changedMeanwhile();
}

/** One for each recipient; all say what the first says. */
function planMessages({ teamId, id: deliveryId, name, subject, recipients }: DeliveryRow, runId: string, now: Date) {
  const planned = recipients.map((recipient) =>
    planMessage(
      { teamId, channel: recipient.channel, target: targetOf(recipient), subject: subject ?? name, deliveryId, runId },
      now,
    ),
  );
  const contentKey = planned[0] && contentKeyOf(planned[0]);
  return planned.map((message): Message => ({ ...message, contentKey: contentKey ?? message.contentKey }));
}
