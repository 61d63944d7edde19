// An entry of a doc's `automations`, as the job that it makes. Pure.

import { LIMITS } from "../../../core/limits.ts";
import type { EntryDelivery } from "../../deliveries/of-entry.ts";
import { DELIVERY_LIMITS } from "../../deliveries/limits.ts";
import type { Recipient } from "../../deliveries/recipients.ts";
import { recipientsIn } from "../../docs/definition/destinations.ts";
import { scheduleIn, type DocAutomation } from "../../docs/definition/automation.ts";
import type { Doc } from "../../docs/doc.ts";
import type { Job, NewAutomationJob } from "../jobs/job.ts";

/** A job's name has at most this many characters. */
const NAME_CHARACTERS_MAX = LIMITS.nameCharactersMax;

/** Whether a doc's job runs a delivery: the two have one id. */
export const isDelivering = (job: Pick<Job, "id" | "resourceId"> | undefined): boolean =>
  job !== undefined && job.resourceId === job.id;

type PlacedRecipient = { recipient: Recipient /** Its destination's place among the entry's. */; at: number };

/** Recipients of an entry, each once. A delivery has the first {@link DELIVERY_LIMITS.deliveryRecipientsMax}. */
export function recipientsOf({ destinations = [] }: DocAutomation): PlacedRecipient[] {
  const placed = destinations.flatMap((destination, at) =>
    recipientsIn(destination).map((recipient): [string, PlacedRecipient] => [
      JSON.stringify(recipient),
      { recipient, at },
    ]),
  );
  // The first place of a recipient is the one that counts.
  return [...new Map(placed.reverse()).values()].reverse();
}

/** What an entry that names somebody delivers: what its job runs of the doc. Undefined where it names nobody. */
export function deliveryOf(entry: DocAutomation, doc: Pick<Doc, "id" | "name">): EntryDelivery | undefined {
  const { datasetKeys } = entry;
  const recipients = recipientsOf(entry).slice(0, DELIVERY_LIMITS.deliveryRecipientsMax);
  if (recipients.length === 0) return undefined;
  return {
    name: newJobOf(entry, doc).name!,
    source: { kind: "doc", doc_id: doc.id, ...(datasetKeys && { dataset_keys: datasetKeys }) },
    recipients: recipients.map(({ recipient }) => recipient),
  };
}

type NewDocJob = Extract<NewAutomationJob, { resourceType: "doc" }>;

/** An entry that names neither itself nor a job is called as its doc. */
export function newJobOf(entry: DocAutomation, doc: Pick<Doc, "id" | "name">): NewDocJob {
  const { id, name, enabled = true, datasetKeys, data, environmentVariables, retry = {}, timeoutSeconds } = entry;
  const schedule = scheduleIn(entry);
  return {
    resourceType: "doc",
    resourceId: doc.id,
    name: name ?? (id === undefined ? doc.name : `${doc.name}: ${id}`).slice(0, NAME_CHARACTERS_MAX),
    enabled,
    schedule: schedule ? { cron: schedule.cron, timezone: schedule.timezone } : null,
    ...(datasetKeys && { datasetKeys }),
    ...(data !== undefined && { data }),
    ...(environmentVariables && { environmentVariables }),
    retry,
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    overlap: entry.overlap ?? "skip",
  };
}
