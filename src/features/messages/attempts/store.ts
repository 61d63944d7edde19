// Every statement about the attempts of messages. A read takes the team first.

import { and, desc, eq, sql } from "drizzle-orm";
import type { Page, PageOf } from "../../../core/page.ts";
import type { Db } from "../../../platform/db/client.ts";
import { messageAttempts, outgoingMessages } from "../../../platform/db/schema/message-schema.ts";
import { selectPage } from "../../../platform/db/select-page.ts";
import { valuesInSql } from "../../../platform/db/values-in-sql.ts";
import type { Attempt } from "./attempt.ts";

/** In the batch of what records the attempt's outcome, behind it: nothing where that was not recorded. */
export const insertAttempt = (db: Db, attempt: Attempt) =>
  db
    .insert(messageAttempts)
    .select(
      sql`select ${valuesInSql(messageAttempts, attempt)} where exists (select 1 from ${outgoingMessages}
        where team_id = ${attempt.teamId} and id = ${attempt.messageId} and revision = ${attempt.revision})`,
    )
    .onConflictDoNothing();

/** Newest first. */
export const selectAttempts = (
  db: Db,
  { teamId, messageId }: Pick<Attempt, "teamId" | "messageId">,
  page: Page,
): Promise<PageOf<Attempt>> =>
  selectPage(db, messageAttempts, {
    where: and(eq(messageAttempts.teamId, teamId), eq(messageAttempts.messageId, messageId)),
    orderBy: [desc(messageAttempts.revision)],
    page,
  });
