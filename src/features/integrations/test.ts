import type { Hindrance } from "../../../kernel/wire/source.ts";
import { LIMITS } from "../../core/limits.ts";
import type { Needs } from "../../clients/context.ts";
import { detailsOf, rememberTls } from "./credentials/source.ts";
import { baseIdOf } from "./cube/base.ts";
import { getIntegration } from "./get.ts";
import { patchIntegration, warningsOf } from "./integration.ts";
import { isSource, openSource } from "./open-source.ts";
import { openSlackCredentials } from "./slack/open-token.ts";
import { testToken } from "./slack/test-token.ts";
import { storeIntegration } from "./update.ts";

export type Tested = {
  connection: { product: string; version: string; tls: boolean; can_write: boolean };
  warnings: string[];
  hindrances: Hindrance[];
};

/**
 * Connects with the stored credentials, and holds a server that was seen to offer TLS to it; of a lake, asks its
 * catalog; of a semantic model what it lies on; of Slack, whose its bot is.
 * Rejects with `connection_failed`, or `source_unreachable`.
 */
export async function testIntegration(
  ctx: Needs<"scope" | "db" | "vault" | "openLake" | "openEngine" | "callSlack">,
  id: string,
): Promise<Tested> {
  const { scope, openEngine, openLake } = ctx;
  const integration = await getIntegration(ctx, id);
  if (integration.type === "cube") return testIntegration(ctx, baseIdOf(integration));
  if (integration.type === "slack") {
    const { warnings } = await testToken(ctx, await openSlackCredentials(ctx, integration));
    const connection = { product: "Slack", version: "Web API", tls: true, can_write: true };
    return { connection, warnings, hindrances: [] };
  }
  if (!isSource(integration)) {
    await openLake(integration.id).currentSnapshot();
    return {
      connection: { product: "DuckLake", version: "1.0", tls: true, can_write: true },
      warnings: [],
      hindrances: [],
    };
  }
  const source = await openSource(ctx, integration);
  const {
    product,
    version,
    tls,
    canWrite,
    hindrances = [],
  } = await openEngine(scope.teamId).testConnection({ source, deadlineMs: LIMITS.connectionTestMs });
  const remembered = rememberTls(source, tls);
  // Credentials that another change has put in their place were tested by that change.
  if (remembered !== source)
    await storeIntegration(
      ctx,
      integration,
      patchIntegration(integration, undefined, detailsOf(remembered), scope.now),
      remembered,
    );
  const connection = { product, version, tls, can_write: canWrite };
  return { connection, warnings: warningsOf({ canWrite, tls }), hindrances };
}
