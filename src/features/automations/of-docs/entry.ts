// An entry of a doc's `automations`, as the job that it makes. Pure.

import { LIMITS } from "../../../core/limits.ts";
import type { EntryDelivery } from "../../deliveries/of-entry.ts";
import { DELIVERY_LIMITS } from "../../deliveries/limits.ts";
import { recipientsIn } from "../../docs/definition/destinations.ts";
import { scheduleIn, type DocAutomation } from "../../docs/definition/automation.ts";
import type { Doc } from "../../docs/doc.ts";
import type { NewAutomationJob } from "../jobs/job.ts";

/** A job's name has at most this many characters. */
const NAME_CHARACTERS_MAX = LIMITS.nameCharactersMax;

/** What an entry that names somebody delivers: what its job runs of the doc. Undefined where it names nobody. */
export function deliveryOf(entry: DocAutomation, doc: Pick<Doc, "id" | "name">): EntryDelivery | undefined {
  const { datasetKeys, destinations = [] } = entry;
  const named = new Map(destinations.flatMap(recipientsIn).map((recipient) => [JSON.stringify(recipient), recipient]));
  const recipients = [...named.values()].slice(0, DELIVERY_LIMITS.deliveryRecipientsMax);
  if (recipients.length === 0) return undefined;
  return {
    name: newJobOf(entry, doc).name!,
    source: { kind: "doc", doc_id: doc.id, ...(datasetKeys && { dataset_keys: datasetKeys }) },
    recipients,
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
