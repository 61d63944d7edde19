// A team's lakes: its own, made with the team, and further ones, each empty at first with objects of its own.

import type { Db } from "../../platform/db/client.ts";
import { beginCollectionStatement } from "../lakes/plan-collection.ts";
import { planIntegration, type Integration } from "./integration.ts";
import { insertIntegration } from "./store.ts";

export type NewLake = Integration & { teamId: string };

export const planLake = (input: { teamId: string; name: string; isDefault: boolean; now: Date }): NewLake => ({
  ...planIntegration({ ...input, type: "lake", details: {} }),
  teamId: input.teamId,
});

/**
 * Statements, not effects: the caller commits them in a batch. The lake's catalog comes to be when it is first opened.
 */
export const insertLakeStatements = (db: Db, { teamId, ...lake }: NewLake) =>
  [
    insertIntegration(db, teamId, lake, null),
    beginCollectionStatement(db, { teamId, lakeId: lake.id }, new Date(lake.created_at)),
  ] as const;
