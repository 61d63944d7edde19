// The noun: a piece of work of any kind and team, as operators see it. Pure.

import { z } from "@hono/zod-openapi";
import type { RunState } from "../work-model/next-state.ts";
import { waitingFields } from "../work-model/waiting/waiting.ts";

export const WORK_KINDS = ["sync", "job", "maintenance", "doc", "query", "alert", "message", "removal"] as const;
export type WorkItemKind = (typeof WORK_KINDS)[number];
export const WORK_STATES = ["queued", "running", "failed"] as const;
export type WorkState = (typeof WORK_STATES)[number];

const instant = z.iso.datetime();

export const WorkItem = z
  .object({
    kind: z
      .enum(WORK_KINDS)
      .openapi({
        description:
          "A run of a sync, of a doc's job, a maintenance, a run of a doc by hand or by webhook, an asynchronous " +
          "query, an alert or a message to deliver, or the removal of a lake or a team that is deleted.",
      }),
    id: z
      .uuid()
      .openapi({
        description: "The run's, the query's the delivery's or the message's; of a removal the lake's or its own.",
      }),
    teamId: z.uuid(),
    subjectId: z
      .string()
      .openapi({
        description:
          "Of the sync, the job, the doc, the integration; of a maintenance alone the lake; of an alert what it is " +
          "about; of a message its delivery, or else its channel; of a removal what is removed.",
      }),
    state: z
      .enum(WORK_STATES)
      .openapi({ description: "`failed`: within the last day, of what took too long as well." }),
    attempt: z.number().int(),
    error: z.string().nullable().openapi({ description: "Why it failed, or is tried again." }),
    ageSeconds: z.number().int().openapi({ description: "Since it was made." }),
    ...waitingFields,
    created_at: instant,
    startedAt: instant.nullable(),
    endedAt: instant.nullable(),
  })
  .openapi("WorkItem");
export type WorkItem = z.infer<typeof WorkItem>;

export type WorkFilter = {
  kinds?: WorkItemKind[] | undefined;
  states?: WorkState[] | undefined;
  teamId?: string | undefined;
};

/** The statement's row, whatever table it comes from. */
export type WorkRow = {
  kind: WorkItemKind;
  subjectId: string;
  id: string;
  teamId: string;
  state: RunState["state"];
  error: string | null;
  attempt: number;
  refusals: number;
  dueAt: string;
  claimedUntil: string | null;
  createdAt: string;
  startedAt: string | null;
  endedAt: string | null;
};

export const stateOf = ({ state, endedAt }: Pick<WorkRow, "state" | "endedAt">): WorkState =>
  endedAt !== null ? "failed" : state === "queued" ? "queued" : "running";
