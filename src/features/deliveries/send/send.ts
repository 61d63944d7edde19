// What a run of a delivery hands over, once, together with what its condition saw.

import type { Needs } from "../../../clients/context.ts";
import { Problem } from "../../../core/problem.ts";
import type { MessageContent } from "../../messages/content.ts";
import { MESSAGE_LIMITS } from "../../messages/limits.ts";
import { contentKeyOf, planMessage, type Message } from "../../messages/message.ts";
import { messagesStatement } from "../../messages/of-run.ts";
import { wakeMessages } from "../../messages/wake.ts";
import { judge, type Seen } from "../condition.ts";
import type { DeliveryRow } from "../delivery.ts";
import { changedMeanwhile } from "../find.ts";
import { targetOf } from "../recipients.ts";
import { UnreadableResult } from "../render/result/unreadable.ts";
import type { ResultTable } from "../render/result/read-result.ts";
import { hasRun, updateDeliveryRow } from "../store.ts";
import { composeContent } from "./compose.ts";
import { namesIn, openTables, planParts } from "./parts.ts";
import type { StoredResult } from "./results.ts";

export type SendDeps = Needs<"db" | "bucket" | "settings" | "wakeUps">;

type Sending = { delivery: DeliveryRow; runId: string; results: readonly StoredResult[] };

/**
 * Hands over the messages of a run, or notes that its condition keeps it from sending any. Throws `resource_conflict`
 * where the delivery was changed, or a run of it has been noted, meanwhile; and the Problem of results that can't be
 * sent. `isDue`: whether there are messages.
 */
export async function sendResults(ctx: SendDeps & Needs<"scope">, sending: Sending): Promise<{ isDue: boolean }> {
  return handOver(ctx, sending).catch((error: unknown) => {
    if (!(error instanceof UnreadableResult)) throw error;
    throw new Problem("validation_failed", error.message, [], { cause: error });
  });
}

async function handOver(ctx: SendDeps & Needs<"scope">, { delivery, runId, results }: Sending) {
  const { db, scope } = ctx;
  const parts = await planParts(ctx, delivery, results);
  const watched = watchedBy(delivery, results);
  const tables = await openTables(results, [...parts.flatMap(namesIn), ...(watched === undefined ? [] : [watched])]);
  const judgement = judge(
    delivery.condition,
    delivery.conditionState,
    seenOf(watched === undefined ? undefined : tables.get(watched)),
  );
  const next: DeliveryRow = {
    ...delivery,
    conditionState: judgement.state,
    ...{ lastRunId: runId, lastRunAt: scope.now.toISOString(), lastRunSent: judgement.isDue },
    revision: delivery.revision + 1,
  };
  const messages = judgement.isDue ? planMessages(delivery, runId, scope.now) : [];
  if (messages[0]) {
    const content = await composeContent(ctx, { delivery, judgement, parts, tables, first: messages[0] });
    await ctx.bucket.write(messages[0].contentKey, packed(content));
  }
  const [noted] = await db.batch([
    updateDeliveryRow(db, delivery, next),
    // Whoever is second finds the messages of the first, or a delivery that another run has moved on.
    messagesStatement(db, messages, hasRun(next)),
  ]);
  if (noted.length === 0) throw changedMeanwhile();
  await wakeMessages(ctx, scope.teamId, scope.now);
  return { isDue: judgement.isDue };
}

/** Throws the Problem of a content that no channel would read. */
function packed(content: MessageContent): Uint8Array {
  const bytes = new TextEncoder().encode(JSON.stringify(content));
  if (bytes.length <= MESSAGE_LIMITS.contentBytesMax) return bytes;
  throw new Problem("validation_failed", "The message would be too large. Send fewer tiles, or datasets.");
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

/** The result that the condition looks at; undefined where there is no condition. */
function watchedBy({ condition }: DeliveryRow, results: readonly StoredResult[]): string | undefined {
  if (!condition) return undefined;
  const name = condition.dataset ?? results[0]?.name;
  if (name !== undefined && results.some((result) => result.name === name)) return name;
  throw new Problem(
    "validation_failed",
    `The condition looks at the dataset ${name ?? "that is first"}, and it has no result.`,
  );
}

function seenOf(table: ResultTable | undefined): Seen {
  if (!table) return { rowCount: 0, first: () => undefined };
  return {
    rowCount: table.rowCount,
    first(name) {
      const column = table.columns.findIndex((each) => each.name === name);
      if (column < 0)
        throw new Problem("validation_failed", `The result has no column ${name}, which the condition looks at.`);
      const cell = table.rowCount === 0 ? null : table.cell(0, column);
      const value = cell === null ? Number.NaN : Number(cell);
      return Number.isFinite(value) ? value : undefined;
    },
  };
}
