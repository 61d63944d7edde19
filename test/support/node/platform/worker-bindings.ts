// The Worker under test is configured with these bindings, and reaches the process supervisor and real databases.

import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { TestProject } from "vitest/node";
import { startSupervisor } from "../../../../scripts/supervisor/supervisor.ts";
import { startFakeChannels } from "../messages/fake-channels.ts";
import { startFakeIssuer } from "../sign-in/fake-issuer.ts";
import startServers from "../servers/servers.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Vars and secrets by their names in `Env`. */
    workerBindings: Record<string, string>;
    /** A GET answers every line the engines have printed so far. */
    engineLogUrl: string;
    /** A supervisor that takes no instance at all. */
    fullSupervisor: { url: string; token: string };
    /** Where messages go: Slack, Teams and a webhook's receiver. */
    channelsUrl: string;
    /** Identity providers, and a resolver of DNS. */
    issuerUrl: string;
  }
}

/**
 * Enough for the teams that query at once in four test files, and for two whose jobs still look for the platform after
 * their file has ended.
 */
const INSTANCES_MAX = 12;

export default async function setup(project: TestProject) {
  const lines: string[] = [];
  const supervisor = await startSupervisor({ instancesMax: INSTANCES_MAX, log: (line) => lines.push(line) });
  const full = await startSupervisor({ instancesMax: 0, log: () => undefined });
  project.provide("fullSupervisor", { url: full.url, token: full.token });
  const stopServers = await startServers(project);
  const channels = await startFakeChannels();
  project.provide("channelsUrl", channels.url);
  const issuer = await startFakeIssuer();
  project.provide("issuerUrl", issuer.url);

  const log = createServer((_request, response) => response.end(lines.join("\n")));
  await new Promise<void>((resolve) => log.listen(0, "127.0.0.1", resolve));
  const address = log.address();
  project.provide("engineLogUrl", `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`);

  const secret = () => randomBytes(32).toString("base64");
  project.provide("workerBindings", {
    SUPERVISOR_URL: supervisor.url,
    SUPERVISOR_TOKEN: supervisor.token,
    VAULT_KEYS: `test:${secret()}`,
    TOKEN_SECRET: secret(),
    BOOTSTRAP_SECRET: secret(),
    HOSTS_ALLOWED: "loopback",
    SLACK_API_URL: `${channels.url}/slack/api`,
    DNS_URL: `${issuer.url}/dns-query`,
    ACCESS_TEAM_DOMAIN: issuer.url,
    ACCESS_AUD: "fjord-access",
    BUCKET_NAME: "fjord",
    // The Worker under test has no address of its own: what an engine asks of it meets a closed port.
    PLATFORM_URL: "http://127.0.0.1:9",
    S3_ENDPOINT: "http://127.0.0.1:9",
    S3_DIAL: "",
    MAIL_FROM: "Fjord <fjord@fjord.test>",
    MAIL_OUTBOX: "yes",
    S3_ACCESS_KEY_ID: "local",
    S3_SECRET_ACCESS_KEY: "local-only",
  });
  return async () => {
    log.close();
    channels.stop();
    issuer.stop();
    await Promise.all([supervisor.stop(), full.stop(), stopServers()]);
  };
}
