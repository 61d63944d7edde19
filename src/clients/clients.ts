// Features are built on clients, one of each binding. This is the one place that hands bindings to clients.

import { openBucket, type Bucket } from "../platform/bucket/bucket.ts";
import { openTokens, type Tokens } from "../platform/crypto/token.ts";
import { openVault, type Vault } from "../platform/crypto/vault.ts";
import { openDb, type Db } from "../platform/db/client.ts";
import { openEngine, type Engine } from "../platform/engine/engine.ts";
import { openStatementEngine, type StatementEngine } from "../platform/engine/statement-engine.ts";
import type { TeamPlan } from "../core/teams/plans.ts";
import { openLake, type Lake } from "../lake/lake.ts";
import { openLog, type Log } from "../platform/logs/log.ts";
import { openMail, type MailClient } from "../platform/mail/client.ts";
import { openMeter, type Meter } from "../platform/meter/meter.ts";
import { openWakeUps, type WakeUps } from "../platform/messages.ts";
import { openSandbox, type Sandbox } from "../platform/sandbox/sandbox.ts";
import { openSlack, type CallSlack } from "../platform/slack/slack.ts";
import { openSlackUploads, type UploadToSlack } from "../platform/slack/upload.ts";
import { openDns, type FindTexts } from "../platform/internet/dns.ts";
import { openFetchPublic, type FetchPublic } from "../platform/internet/fetch-public.ts";
import { openSettings, type Settings } from "../platform/settings.ts";
import { sendWebhook, type SendWebhook } from "../platform/webhooks/send-webhook.ts";

export type Clients = {
  db: Db;
  bucket: Bucket;
  wakeUps: WakeUps;
  vault: Vault;
  tokens: Tokens;
  settings: Settings;
  openLake(lakeId: string): Lake;
  /** Opens a team's first engine, which starts only with the first request to it. */
  openEngine(teamId: string): Engine;
  /** Opens the engine for one statement of a team's: the first, or another that shares its reads. */
  openStatementEngine(teamId: string, plan: TeamPlan): StatementEngine;
  openSandbox(teamId: string): Sandbox;
  /** Opens a team's log. */
  openLog(teamId: string): Log;
  /** The meter of all teams: what their requests add up to. */
  meter: Meter;
  sendWebhook: SendWebhook;
  callSlack: CallSlack;
  /** Asks hosts that teams name. */
  fetchPublic: FetchPublic;
  /** The texts of a DNS name. */
  findTexts: FindTexts;
  /** Takes one file to an address that Slack has named. */
  uploadToSlack: UploadToSlack;
  mail: MailClient;
  /** A file of the page at /docs, by its URL. */
  fetchAsset(url: URL): Promise<Response>;
};

const opened = new WeakMap<Env, Clients>();

/** One set for each Worker's bindings, which requests share. No client holds state but the meter, which sums up. */
export function openClients(env: Env): Clients {
  const known = opened.get(env);
  if (known) return known;
  const [bucket, settings] = [openBucket(env), openSettings(env)];
  const clients: Clients = {
    db: openDb(env.DB),
    bucket,
    wakeUps: openWakeUps(env),
    vault: openVault(env),
    tokens: openTokens(env),
    settings,
    openLake: (lakeId) => openLake(env, lakeId),
    openEngine: (teamId) => openEngine(env, teamId),
    openStatementEngine: (teamId, plan) => openStatementEngine(env, teamId, plan),
    openSandbox: (teamId) => openSandbox(env, teamId),
    openLog: (teamId) => openLog(env, teamId),
    meter: openMeter(env),
    sendWebhook,
    fetchPublic: openFetchPublic({ settings }),
    findTexts: openDns(env),
    callSlack: openSlack(env),
    uploadToSlack: openSlackUploads(env),
    mail: openMail(env, bucket),
    fetchAsset: (url) => env.ASSETS.fetch(url),
  };
  opened.set(env, clients);
  return clients;
}
