// The tick: looks through the syncs and jobs of teams that have a webhook, opens and ends episodes, and wakes up the
// deliveries that are due. What it decides follows from rows alone, so that no kind of work has to report to it.

import { newId } from "../../../core/ids.ts";
import { ALERT_LIMITS } from "../limits.ts";
import type { Needs } from "../../../clients/context.ts";
import type { Db } from "../../../platform/db/client.ts";
import { listJobFacts } from "../../automations/overview/list-job-facts.ts";
import type { JobFacts } from "../../automations/overview/job-facts.ts";
import { findFailedTests } from "../../docs/builds/find-failed-tests.ts";
import { listSyncFacts } from "../../syncs/overview/list-facts.ts";
import { planDelivery, type Delivery } from "../deliveries/delivery.ts";
import { deleteDeliveriesBefore, insertDeliveries, selectDueDeliveries } from "../deliveries/store.ts";
import { markSwept, selectSwept, type SweptWebhook } from "../webhook/store.ts";
import { judge, type Episode, type Verdict } from "./judge.ts";
import { messageOf } from "./message.ts";
import {
  closeEpisodes,
  deleteEpisodesBefore,
  dropOrphans,
  insertEpisodes,
  selectHistories,
  type Closing,
} from "./store.ts";
import { docRunOf, subjectOfJob, subjectOfSync, type Subject } from "./subject.ts";

type Counts = { alertsOpened: number; alertsClosed: number; alertDeliveriesWoken: number };

export async function sweepAlerts({ db, wakeUps }: Needs<"db" | "wakeUps">, at: Date): Promise<Counts> {
  const counts: Counts = { alertsOpened: 0, alertsClosed: 0, alertDeliveriesWoken: 0 };
  await dropOrphans(db, at.toISOString());
  const webhooks = await selectSwept(db, ALERT_LIMITS.alertTeamsPerSweepMax);
  for (let subjects = 0; webhooks.length > 0 && subjects < ALERT_LIMITS.alertSubjectsPerSweepMax; ) {
    const few = webhooks.splice(0, ALERT_LIMITS.alertTeamsPerPageMax);
    for await (const page of subjectsOf(db, few, at)) {
      const { opened, closed } = await judgeAll(db, few, page, at);
      counts.alertsOpened += opened;
      counts.alertsClosed += closed;
      subjects += page.length;
    }
    const teamIds = few.map(({ teamId }) => teamId);
    await markSwept(db, teamIds, at.toISOString());
  }
  const due = await selectDueDeliveries(db, at.toISOString(), { rowsMax: ALERT_LIMITS.alertDeliveriesPerSweepMax });
  counts.alertDeliveriesWoken = await wakeUps.sendAll("alert_delivery", due);
  await forget(db, at);
  return counts;
}

async function* subjectsOf(db: Db, webhooks: SweptWebhook[], now: Date): AsyncGenerator<Subject[]> {
  const query = { teamIds: webhooks.map(({ teamId }) => teamId), rowsMax: ALERT_LIMITS.alertSubjectsPerPageMax };
  const readSyncs: Read = async (after) =>
    (await listSyncFacts(db, { ...query, after })).map((facts) => subjectOfSync(facts, now));
  const readJobs: Read = async (after) => {
    const all = await listJobFacts(db, { ...query, after });
    const failedTests = await findFailedTests(db, all.flatMap(docRunsOf));
    return all.map((facts) => subjectOfJob(facts, failedTests, now));
  };
  yield* pages(readSyncs, query.rowsMax);
  yield* pages(readJobs, query.rowsMax);
}

const docRunsOf = (facts: JobFacts): { teamId: string; runId: string }[] =>
  [facts.success, facts.failure].flatMap((run) => {
    const runId = docRunOf(facts, run);
    return runId === null ? [] : [{ teamId: facts.job.teamId, runId }];
  });

type Read = (after: { teamId: string; id: string } | undefined) => Promise<Subject[]>;

/** A team has a bounded number of syncs and of jobs, so these end. */
async function* pages(read: Read, rowsMax: number): AsyncGenerator<Subject[]> {
  for (let page = await read(undefined); page.length > 0; page = await read(page.at(-1))) {
    yield page;
    if (page.length < rowsMax) return;
  }
}

type Judged = { subject: Subject; open: Episode | null; verdict: Verdict };

async function judgeAll(
  db: Db,
  webhooks: SweptWebhook[],
  subjects: Subject[],
  now: Date,
): Promise<{ opened: number; closed: number }> {
  const histories = await selectHistories(db, subjects);
  const since = new Map(webhooks.map(({ teamId, watchedSince }) => [teamId, watchedSince]));
  const judged = subjects.flatMap((subject): Judged[] => {
    const { open, reportedUntil } = histories.get(subject.id) ?? { open: null, reportedUntil: null };
    const watchedSince = since.get(subject.teamId) ?? now.toISOString();
    const verdict = judge({ subject, open, reportedUntil, watchedSince }, now);
    return verdict ? [{ subject, open, verdict }] : [];
  });
  return judged.length === 0 ? { opened: 0, closed: 0 } : commit(db, judged, now);
}

/**
 * Everything of a page in one batch. A message is kept only with an episode that this batch opened, or ends: whoever
 * sweeps at the same time finds it done.
 */
async function commit(db: Db, judged: Judged[], now: Date): Promise<{ opened: number; closed: number }> {
  const episodes: Episode[] = [];
  const closings: Closing[] = [];
  const deliveries: Delivery[] = [];
  for (const { subject, open, verdict } of judged) {
    const episode = verdict.kind === "open" ? openEpisode(subject, verdict, now) : open;
    if (!episode) continue;
    if (verdict.kind === "open") episodes.push(episode);
    else {
      const until = verdict.kind === "recovered" ? verdict.until : null;
      closings.push({ id: episode.id, teamId: episode.teamId, outcome: verdict.kind, until });
    }
    if (verdict.kind === "dropped") continue;
    const what = verdict.kind === "open" ? verdict.cause : verdict.kind;
    const event = messageOf(subject, episode, { what, now });
    deliveries.push(planDelivery({ teamId: subject.teamId, episode, event }, now));
  }
  const [opened, , closed] = await db.batch([
    insertEpisodes(db, episodes),
    insertDeliveries(db, deliveries),
    closeEpisodes(db, closings, now.toISOString()),
  ]);
  return { opened: opened.length, closed: closed.length };
}

const openEpisode = (
  { teamId, type, id }: Subject,
  { cause, since }: Extract<Verdict, { kind: "open" }>,
  now: Date,
): Episode => ({
  id: newId(now),
  teamId,
  subjectType: type,
  subjectId: id,
  cause,
  since,
  openedAt: now.toISOString(),
  closedAt: null,
  outcome: null,
  until: null,
});

async function forget(db: Db, at: Date): Promise<void> {
  const before = new Date(at.getTime() - ALERT_LIMITS.alertKeptMs).toISOString();
  await deleteDeliveriesBefore(db, before, ALERT_LIMITS.alertsForgottenPerSweepMax);
  await deleteEpisodesBefore(db, before, ALERT_LIMITS.alertsForgottenPerSweepMax);
}
