// The clock starts these ticks. Keys are the expressions in wrangler.toml; a tidy test keeps the two equal.

import { sweepAuditEvents } from "./features/audit/sweep.ts";
import { sweepAlerts } from "./features/alerts/episodes/sweep.ts";
import { resealAlertSecrets } from "./features/alerts/webhook/reseal.ts";
import { sweepCutWork } from "./features/automations/cancelling/cut.ts";
import { startDueAutomations } from "./features/automations/schedule/start-due.ts";
import { sweepAutomationRuns } from "./features/automations/schedule/sweep.ts";
import { resealDestinations } from "./features/destinations/reseal.ts";
import { resealWebhookSecrets } from "./features/docs/webhook/reseal.ts";
import { sweepDocRuns } from "./features/docs/runs/sweep.ts";
import { sweepDriveMeasures } from "./features/drive/measure/sweep.ts";
import { sweepDrive } from "./features/drive/sweep.ts";
import { resealPublicationSecrets } from "./features/publications/secret/reseal.ts";
import { sweepPublicationRollups } from "./features/publications/statistics/sweep.ts";
import { resealCredentials } from "./features/integrations/credentials/reseal.ts";
import { sweepLakeCollections } from "./features/lakes/sweep-collections.ts";
import { sweepLakeRemovals } from "./features/lakes/sweep-removals.ts";
import { sweepLinkedFiles } from "./features/linked-files/sweep.ts";
import { noteTick } from "./features/operations/note-tick.ts";
import { sweepAsyncQueries } from "./features/query/async/sweep.ts";
import { resealSecrets } from "./features/secrets/reseal.ts";
import { sweepStatistics } from "./features/statistics/sweep.ts";
import { sweepMail } from "./features/mail/sweep.ts";
import { sweepMessages } from "./features/messages/sweep.ts";
import { startDueSyncs } from "./features/syncs/runs/start-due.ts";
import { sweepSyncRuns } from "./features/syncs/runs/sweep.ts";
import { resealIdentityProviders } from "./features/teams/identity-provider/reseal.ts";
import { sweepKeys } from "./features/teams/keys/sweep.ts";
import { sweepMagicLinks } from "./features/teams/magic-links/sweep.ts";
import { sweepSessions } from "./features/teams/sessions/sweep.ts";
import { sweepTeamRemovals } from "./features/teams/removal/sweep.ts";
import type { Clients } from "./clients/clients.ts";

/** Claims at most its bound of due items, sends their messages, and says how many. */
type Tick = (clients: Clients, at: Date) => Promise<Record<string, number>>;

const EVERY_MINUTE: Tick[] = [
  noteTick,
  resealCredentials,
  resealSecrets,
  resealWebhookSecrets,
  resealAlertSecrets,
  resealPublicationSecrets,
  resealDestinations,
  resealIdentityProviders,
  sweepTeamRemovals,
  sweepMagicLinks,
  sweepSessions,
  sweepLakeRemovals,
  sweepLakeCollections,
  startDueSyncs,
  sweepSyncRuns,
  startDueAutomations,
  sweepAutomationRuns,
  sweepCutWork,
  sweepDrive,
  sweepDriveMeasures,
  sweepDocRuns,
  sweepAsyncQueries,
  sweepAlerts,
  sweepLinkedFiles,
  sweepMessages,
  sweepMail,
  sweepStatistics,
  sweepPublicationRollups,
  sweepKeys,
  sweepAuditEvents,
];

export const CRONS: Record<string, (clients: Clients, at: Date) => Promise<void>> = {
  "* * * * *": (clients, at) => runTicks(EVERY_MINUTE, clients, at),
};

/** One tick's failure is logged and does not keep the others from their minute. */
async function runTicks(ticks: Tick[], clients: Clients, at: Date): Promise<void> {
  const outcomes = await Promise.allSettled(ticks.map((tick) => tick(clients, at)));
  outcomes.forEach((outcome, index) => {
    const tick = ticks[index]!.name;
    if (outcome.status === "rejected")
      console.error(JSON.stringify({ event: "tick_failed", tick, cause: String(outcome.reason) }));
    else if (Object.values(outcome.value).some((count) => count > 0))
      console.log(JSON.stringify({ event: "tick", tick, ...outcome.value }));
  });
}
