// Credentials are tried at the service they are for before they are stored.

import type { Source } from "../../../kernel/wire/source.ts";
import { INTEGRATION_LIMITS } from "./limits.ts";
import { LIMITS } from "../../core/limits.ts";
import type { Needs } from "../../clients/context.ts";
import type { SlackCredentials } from "./credentials/credentials.ts";
import { defaultName, detailsOf, rememberTls } from "./credentials/source.ts";
import { warningsOf } from "./integration.ts";
import { testToken } from "./slack/test-token.ts";

/** `credentials` are kept sealed; `details` are what may be shown of them. */
export type Connected = {
  credentials: object;
  details: Record<string, string>;
  /** The name of an integration that nobody named. */
  defaultName: string;
  warnings: string[];
};

export async function connectSource(
  { scope, openEngine }: Needs<"scope" | "openEngine">,
  given: Source,
): Promise<Connected> {
  const test = { source: given, deadlineMs: INTEGRATION_LIMITS.connectionTestMs };
  const report = await openEngine(scope.teamId).testConnection(test);
  const source = rememberTls(given, report.tls);
  const { credentials } = source;
  return { credentials, details: detailsOf(source), defaultName: defaultName(source), warnings: warningsOf(report) };
}

export async function connectSlack(ctx: Needs<"callSlack">, credentials: SlackCredentials): Promise<Connected> {
  const { details, warnings } = await testToken(ctx, credentials);
  const name = `slack: ${details["workspace"]}`.slice(0, LIMITS.nameCharactersMax);
  return { credentials, details, defaultName: name, warnings };
}
