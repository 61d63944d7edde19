// Every statement about episodes. They are the sweep's, which looks across teams; each row says its team.

import { and, eq, isNotNull, isNull, lt, sql, type SQL } from "drizzle-orm";
import { alertEpisodes } from "../../../platform/db/schema/alert-schema.ts";
import type { Db } from "../../../platform/db/client.ts";
import { deleteSome } from "../../../platform/db/delete-some.ts";
import type { Episode } from "./judge.ts";

type Named = { teamId: string; id: string };
export type History = { open: Episode | null; reportedUntil: string | null };

/** The history of each of these subjects, by its id. */
export async function selectHistories(db: Db, subjects: Named[]): Promise<Map<string, History>> {
  const named = JSON.stringify(subjects.map(({ teamId, id }) => ({ teamId, id })));
  const ofSubject = sql`(team_id, subject_id) in (select value ->> 'teamId', value ->> 'id' from json_each(${named}))`;
  const [open, reported] = await db.batch([
    db
      .select()
      .from(alertEpisodes)
      .where(and(ofSubject, isNull(alertEpisodes.closedAt))),
    db
      .select({ id: alertEpisodes.subjectId, until: sql<string | null>`max(${alertEpisodes.until})` })
      .from(alertEpisodes)
      .where(ofSubject)
      .groupBy(alertEpisodes.teamId, alertEpisodes.subjectId),
  ]);
  const histories = new Map(
    reported.map(({ id, until }): [string, History] => [id, { open: null, reportedUntil: until }]),
  );
  for (const episode of open)
    histories.set(episode.subjectId, {
      open: episode,
      reportedUntil: histories.get(episode.subjectId)?.reportedUntil ?? null,
    });
  return histories;
}

/** Each unless one is open of its subject, or what it is about is past; to webhooks that are in use. */
export function insertEpisodes(db: Db, episodes: Episode[]) {
  const field = (name: keyof Episode): SQL => sql`e.value ->> ${sql.raw(`'${name}'`)}`;
  return db
    .insert(alertEpisodes)
    .select(
      sql`select ${field("id")}, ${field("teamId")}, ${field("subjectType")}, ${field("subjectId")}, ${field("cause")},
          ${field("since")}, ${field("openedAt")}, null, null, null
        from json_each(${JSON.stringify(episodes)}) e
        where exists (select 1 from alert_webhooks w where w.team_id = ${field("teamId")} and w.disabled_at is null)
          and not exists (select 1 from alert_episodes past where past.team_id = ${field("teamId")}
            and past.subject_id = ${field("subjectId")} and past.until > ${field("since")})`,
    )
    .onConflictDoNothing()
    .returning({ id: alertEpisodes.id });
}

export type Closing = Pick<Episode, "id" | "teamId" | "outcome" | "until">;

export function closeEpisodes(db: Db, closings: Closing[], at: string) {
  const ofClosing = (field: keyof Closing): SQL =>
    sql`(select value ->> ${field} from json_each(${JSON.stringify(closings)}) where value ->> 'id' = ${alertEpisodes.id})`;
  const ids = closings.map(({ id }) => id);
  return db
    .update(alertEpisodes)
    .set({ closedAt: at, outcome: ofClosing("outcome"), until: ofClosing("until") })
    .where(
      and(
        sql`${alertEpisodes.id} in (select value from json_each(${JSON.stringify(ids)}))`,
        eq(alertEpisodes.teamId, ofClosing("teamId")),
        isNull(alertEpisodes.closedAt),
      ),
    )
    .returning({ id: alertEpisodes.id });
}

/** Ends, unheard, those of syncs and jobs that are gone. */
export const dropOrphans = (db: Db, at: string) =>
  db
    .update(alertEpisodes)
    .set({ closedAt: at, outcome: "dropped" })
    .where(
      and(
        isNull(alertEpisodes.closedAt),
        sql`case ${alertEpisodes.subjectType}
          when 'sync' then not exists (select 1 from syncs s where s.id = ${alertEpisodes.subjectId}
            and s.team_id = ${alertEpisodes.teamId} and s.status in ('active', 'paused'))
          else not exists (select 1 from automation_jobs j where j.id = ${alertEpisodes.subjectId}
            and j.team_id = ${alertEpisodes.teamId}) end`,
      ),
    )
    .returning({ id: alertEpisodes.id });

export const deleteEpisodesOf = (db: Db, teamId: string) =>
  db.delete(alertEpisodes).where(eq(alertEpisodes.teamId, teamId));

/** Forgets a bounded number of old ones. */
export const deleteEpisodesBefore = (db: Db, closedBefore: string, rowsMax: number) =>
  deleteSome(
    db,
    alertEpisodes.id,
    and(isNotNull(alertEpisodes.closedAt), lt(alertEpisodes.closedAt, closedBefore)),
    rowsMax,
  ).returning({ id: alertEpisodes.id });
