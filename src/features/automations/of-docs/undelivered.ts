// An entry of a doc's `automations` may name recipients who get nothing all the same.

import type { Flaw } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { findUnreachable } from "../../deliveries/check/find-unreachable.ts";
import { DELIVERY_LIMITS } from "../../deliveries/limits.ts";
import { targetOf } from "../../deliveries/recipients.ts";
import type { DocAutomation } from "../../docs/definition/automation.ts";
import { recipientsOf } from "./entry.ts";

const { deliveryRecipientsMax: most } = DELIVERY_LIMITS;

/** A flaw at each destination of which somebody gets nothing. */
export async function findUndelivered(
  ctx: Needs<"scope" | "db">,
  automations: readonly DocAutomation[],
): Promise<Flaw[]> {
  const placed = automations.flatMap((automation, i) =>
    recipientsOf(automation).map(({ recipient, at }, rank) => ({
      recipient,
      rank,
      pointer: `/automations/${i}/destinations/${at}`,
    })),
  );
  const kept = placed.filter(({ rank }) => rank < most);
  const byText = new Map(kept.map(({ recipient }) => [JSON.stringify(recipient), recipient]));
  const unreachable = new Map(
    (await findUnreachable(ctx, [...byText.values()])).map(({ pointer, message }) => [
      [...byText.keys()][Number(pointer.split("/")[2])],
      message,
    ]),
  );
  return [
    ...kept.flatMap(({ recipient, pointer }) => {
      const message = unreachable.get(JSON.stringify(recipient));
      return message === undefined ? [] : [{ pointer, message: `Nothing goes to ${targetOf(recipient)}: ${message}` }];
    }),
    ...beyondBound(placed.filter(({ rank }) => rank >= most)),
  ];
}

function beyondBound(left: readonly { pointer: string }[]): Flaw[] {
  const pointers = [...new Set(left.map(({ pointer }) => pointer))];
  return pointers.map((pointer) => {
    const count = left.filter((one) => one.pointer === pointer).length;
    const who = count === 1 ? "1 recipient gets" : `${count} recipients get`;
    return { pointer, message: `${who} nothing: an entry delivers to at most ${most}.` };
  });
}
