// Features are built on clients, one of each binding. This is the one place that hands bindings to clients.

import { openBucket } from "../platform/bucket/bucket.ts";
import { openTokens } from "../platform/crypto/token.ts";
import { openVault } from "../platform/crypto/vault.ts";
import { openDb } from "../platform/db/client.ts";
import { openEngine } from "../platform/engine/engine.ts";
import { openStatementEngine } from "../platform/engine/statement-engine.ts";
import type { TeamPlan } from "../core/teams/plans.ts";
import { openLake } from "../lake/lake.ts";
import { openLog } from "../platform/logs/log.ts";
import { openMail } from "../platform/mail/client.ts";
import { openMeter } from "../platform/meter/meter.ts";
import { openWakeUps } from "../platform/messages.ts";
import { openSandbox } from "../platform/sandbox/sandbox.ts";
import { openSlack } from "../platform/slack/slack.ts";
import { openSlackUploads } from "../platform/slack/upload.ts";
import { openDns } from "../platform/internet/dns.ts";
import { openFetchPublic } from "../platform/internet/fetch-public.ts";
import { openSettings } from "../platform/settings.ts";
import { sendWebhook } from "../platform/webhooks/send-webhook.ts";

const opened = new WeakMap<Env, Clients>();

/** One set for each Worker's bindings, which requests share. No client holds state but the meter, which sums up. */
export function openClients(env: Env): Clients {
  const known = opened.get(env);
  if (known) return known;
  const clients = clientsOf(env);
  opened.set(env, clients);
  return clients;
}

export type Clients = ReturnType<typeof clientsOf>;

function clientsOf(env: Env) {
  const [bucket, settings] = [openBucket(env), openSettings(env)];
  return {
    db: openDb(env.DB),
    bucket,
    wakeUps: openWakeUps(env),
    vault: openVault(env),
    tokens: openTokens(env),
    settings,
    openLake: (lakeId: string) => openLake(env, lakeId),
    /** Opens a team's first engine, which starts only with the first request to it. */
    openEngine: (teamId: string) => openEngine(env, teamId),
    /** Opens the engine for one statement of a team's: the first, or another that shares its reads. */
    openStatementEngine: (teamId: string, plan: TeamPlan) => openStatementEngine(env, teamId, plan),
    openSandbox: (teamId: string) => openSandbox(env, teamId),
    /** Opens a team's log. */
    openLog: (teamId: string) => openLog(env, teamId),
    /** The meter of all teams: what their requests add up to. */
    meter: openMeter(env),
    sendWebhook,
    /** Asks hosts that teams name. */
    fetchPublic: openFetchPublic({ settings }),
    /** The texts of a DNS name. */
    findTexts: openDns(env),
    callSlack: openSlack(env),
    /** Takes one file to an address that Slack has named. */
    uploadToSlack: openSlackUploads(env),
    mail: openMail(env, bucket),
    /** A file of the page at /docs, by its URL. */
    fetchAsset: (url: URL) => env.ASSETS.fetch(url),
  };
}
