// An automation job runs a resource of one of these types; the statements and the wire have to know some facts of each.
// What the Worker does with each is in `features/automations/resources`. Pure.

import type { EventType } from "./events/event-types.ts";

export const RESOURCE_TYPES = ["doc", "lake_integration_maintenance", "delivery"] as const;
export type ResourceType = (typeof RESOURCE_TYPES)[number];

export type ResourceFacts = {
  /** The thing that a job's `resource_id` is the id of. Its jobs are deleted, and its runs ended, with that thing. */
  subject: "doc" | "lake" | "delivery";
  /**
   * What works on an attempt. Work of an engine writes to a lake, so a team is not removed under it. The platform reads
   * and sends.
   */
  worker: "sandbox" | "engine" | "platform";
  /** Whether a job may name some of its resource's datasets. */
  hasDatasets: boolean;
  /** Whether a run waits for every other run of this type on its resource, of whichever job. */
  isAlone: boolean;
  /** Whether a job's owner may be an operator of the platform, who is in another team. */
  mayBeOperators: boolean;
  /** How operators see a run in the list of all work. */
  workKind: "job" | "maintenance";
  /** The event that the end of a run counts as. */
  endEvent: Extract<EventType, "automation_run" | "lake_maintenance">;
};

export const RESOURCE_FACTS: Record<ResourceType, ResourceFacts> = {
  doc: {
    subject: "doc",
    worker: "sandbox",
    hasDatasets: true,
    isAlone: false,
    mayBeOperators: false,
    workKind: "job",
    endEvent: "automation_run",
  },
  lake_integration_maintenance: {
    subject: "lake",
    worker: "engine",
    hasDatasets: false,
    isAlone: true,
    mayBeOperators: true,
    workKind: "maintenance",
    endEvent: "lake_maintenance",
  },
  delivery: {
    subject: "delivery",
    worker: "platform",
    hasDatasets: false,
    isAlone: false,
    mayBeOperators: false,
    workKind: "job",
    endEvent: "automation_run",
  },
};
