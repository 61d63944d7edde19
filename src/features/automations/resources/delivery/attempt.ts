// An attempt of a delivery's job: its results are read, what is to be sent is handed over once, and the run ends as the
// last of its messages does.

import type { Scope } from "../../../../core/scope.ts";
import type { DeliverySource } from "../../../deliveries/delivery.ts";
import { findDelivery } from "../../../deliveries/find.ts";
import { sendResults } from "../../../deliveries/send/send.ts";
import { isProblem, PROBLEMS } from "../../../../core/problem.ts";
import { endMessages, observeMessages } from "../../../messages/of-run.ts";
import { actAs } from "../../../teams/users/act-as.ts";
import { failed } from "../../../work-model/engine-attempt/start.ts";
import type { Run } from "../../runs/run.ts";
import type { AutomationDeps, Outcome } from "../kind.ts";
import { READ_DOC } from "./read-doc.ts";
import type { Reading } from "./reading.ts";
import { READ_QUERY } from "./read-query.ts";

const READINGS: { [Kind in DeliverySource["kind"]]: Reading<Extract<DeliverySource, { kind: Kind }>> } = {
  query: READ_QUERY,
  doc: READ_DOC,
};

/** The reading of a source of any kind; the two are of one kind by their construction. */
const readingOf = ({ kind }: DeliverySource): Reading<DeliverySource> => READINGS[kind] as Reading<DeliverySource>;

/** Starts the reading with the rights of `owner`, which are those of now. */
export async function startDelivery(deps: AutomationDeps, run: Run, owner: Scope): Promise<Outcome> {
  const delivery = await findDelivery({ db: deps.db, scope: run }, run.resourceId);
  if (!delivery) return GONE;
  return readingOf(delivery.source).start(deps, run, {
    ...{ source: delivery.source, owner },
    saidAt: delivery.updatedAt,
  });
}

const GONE = failed("The delivery was deleted.", false);

export async function watchDelivery(deps: AutomationDeps, run: Run, now: Date): Promise<Outcome> {
  // A run that has handed over is over with its messages, whichever runs of the delivery came after it.
  const handedOver = await observeMessages(deps, messagesOf(run));
  if (handedOver.messages > 0) return watchMessages(handedOver);
  const delivery = await findDelivery({ db: deps.db, scope: run }, run.resourceId);
  if (!delivery) return GONE;
  if (delivery.lastRunId === run.id) return SUCCEEDED;
  // What was read is of the delivery as it was: its rows are not for those whom it names now.
  if (Date.parse(delivery.updatedAt) >= run.startedAtMs!) {
    await stopReading(deps, run, now);
    return { observation: { kind: "lost", error: "The delivery was changed while its results were read." } };
  }
  const owner = await actAs({ db: deps.db, scope: run }, run.ownerId, { requestId: run.workId!, now });
  if (!owner?.rights.includes("jobs:write"))
    return failed("The job's owner is gone, or may have no jobs any more.", false);
  const read = await readingOf(delivery.source).watch(deps, run, { source: delivery.source, owner });
  if ("observation" in read) return read;
  try {
    const handed = await sendResults({ ...deps, scope: owner }, { delivery, runId: run.id, read });
    if (handed === "busy") return { observation: { kind: "alive" } };
    await readingOf(delivery.source).forget(deps, run);
    return handed === "sent" ? { observation: { kind: "alive" } } : SUCCEEDED;
  } catch (error) {
    if (!isProblem(error) || error.code === "internal_error") throw error;
    // A delivery that another run has moved on is looked at again.
    if (error.code === "resource_conflict") return { observation: { kind: "alive" } };
    await readingOf(delivery.source).forget(deps, run);
    return failed(error.message, PROBLEMS[error.code].retryable);
  }
}

/** A run has done what it is for when its messages have arrived: until then it goes on. */
function watchMessages({ pending, failures }: Awaited<ReturnType<typeof observeMessages>>): Outcome {
  if (pending > 0) return { observation: { kind: "alive" } };
  return failures === undefined ? SUCCEEDED : failed(failures, false);
}

const messagesOf = ({ teamId, resourceId: deliveryId, id: runId }: Run) => ({ teamId, deliveryId, runId });

const SUCCEEDED: Outcome = { observation: { kind: "ended", outcome: "succeeded", error: null, retryable: false } };

/** Ends the reading, and what has been handed over and not been sent. */
export async function stopDelivery(deps: AutomationDeps, run: Run, now: Date): Promise<Outcome> {
  await endMessages(deps, messagesOf(run), run.cancelReason ?? "The run of its job took longer than it may.", now);
  await stopReading(deps, run, now);
  return { observation: { kind: "stopped" } };
}

/**
 * Ends whichever reading has the attempt's id: the delivery may be gone, or of another kind by now, and so may its
 * owner.
 */
async function stopReading(deps: AutomationDeps, run: Run, now: Date): Promise<void> {
  for (const reading of Object.values(READINGS)) await reading.stop(deps, run, now);
}
