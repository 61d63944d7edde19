// A delivery is checked before it is saved: its source, its recipients and its condition have to fit together.

import { Problem, type Flaw } from "../../../core/problem.ts";
import type { DeliveryChannel } from "../../../core/messages.ts";
import type { Needs } from "../../../clients/context.ts";
import { readSource, requireLiveDoc } from "../../docs/find.ts";
import { checkSource } from "./check-source.ts";
import type { NewDelivery } from "../delivery.ts";
import { findUnreachable } from "./find-unreachable.ts";

type Checked = Pick<NewDelivery, "source" | "to" | "files" | "condition">;

/** Throws `validation_failed` with each flaw. */
export async function checkDelivery(ctx: Needs<"scope" | "db">, delivery: Checked): Promise<void> {
  await checkSource(ctx, delivery.source);
  const flaws = [
    ...flawsOf(delivery),
    ...(await findUnwatchable(ctx, delivery)),
    ...(await findUnreachable(ctx, delivery.to)),
  ];
  if (flaws.length > 0) throw new Problem("validation_failed", "One or more fields are not valid.", flaws);
}

/** Whether a channel's messages carry files. */
const CARRIES_FILES: Record<DeliveryChannel, boolean> = { email: true, slack: true, teams: false, webhook: false };

function flawsOf({ source, to, files, condition }: Checked): Flaw[] {
  const twice = to.flatMap((recipient, i) =>
    to.slice(0, i).some((other) => JSON.stringify(other) === JSON.stringify(recipient))
      ? [{ pointer: `/to/${i}`, message: "This recipient stands here twice." }]
      : [],
  );
  const unsent =
    files?.by === "attachment" && !to.some(({ channel }) => CARRIES_FILES[channel])
      ? [{ pointer: "/files/by", message: "Only mail and Slack carry files; send links." }]
      : [];
  const noDataset =
    source.kind === "query" && condition?.dataset !== undefined
      ? [{ pointer: "/condition/dataset", message: "A saved query has one result; leave this out." }]
      : [];
  return [...twice, ...unsent, ...noDataset];
}

/** A condition looks at a dataset that the run has a result of. */
async function findUnwatchable(ctx: Needs<"scope" | "db">, { source, condition }: Checked): Promise<Flaw[]> {
  const name = condition?.dataset;
  if (source.kind !== "doc" || name === undefined) return [];
  const sent = source.dataset_keys ?? (await listDatasetKeys(ctx, source.doc_id));
  if (sent.includes(name)) return [];
  const message = source.dataset_keys
    ? `The delivery does not send a dataset ${name}. Add it to dataset_keys, or name another.`
    : `The doc has no dataset ${name}.`;
  return [{ pointer: "/condition/dataset", message }];
}

async function listDatasetKeys(ctx: Needs<"scope" | "db">, docId: string): Promise<string[]> {
  const { definition } = await readSource(ctx, await requireLiveDoc(ctx, docId));
  return Object.keys(definition.datasets);
}
