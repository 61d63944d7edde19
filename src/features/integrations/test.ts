import type { Hindrance } from "../../../kernel/wire/source.ts";
import { INTEGRATION_LIMITS } from "./limits.ts";
import type { Needs } from "../../clients/context.ts";
import { isSourceType, type IntegrationType, type SourceType } from "./credentials/credentials.ts";
import { detailsOf, rememberTls } from "./credentials/source.ts";
import { baseIdOf } from "./cube/base.ts";
import { getIntegration } from "./get.ts";
import { patchIntegration, warningsOf, type Integration } from "./integration.ts";
import { openSource, type SourceIntegration } from "./open-source.ts";
import { openSlackCredentials } from "./slack/open-token.ts";
import { testToken } from "./slack/test-token.ts";
import { testCluster } from "./trino/test.ts";
import { storeIntegration } from "./update.ts";

export type Tested = {
  connection: { product: string; version: string; tls: boolean; can_write: boolean };
  warnings: string[];
  hindrances: Hindrance[];
};

type Deps = Needs<"scope" | "db" | "vault" | "openLake" | "openEngine" | "callSlack" | "bucket">;

/**
 * Connects with the stored credentials, and holds a server that was seen to offer TLS to it; of a lake, asks its
 * catalog; of a semantic model what it lies on; of Slack, whose its bot is; of a cluster, whether it reads its lake.
 * Rejects with `connection_failed`, or `source_unreachable`.
 */
export async function testIntegration(ctx: Deps, id: string): Promise<Tested> {
  const integration = await getIntegration(ctx, id);
  const { type } = integration;
  return isSourceType(type) ? testSource(ctx, { ...integration, type }) : OTHERS[type](ctx, integration);
}

type OtherType = Exclude<IntegrationType, SourceType>;

/** What is asked of an integration that is no database. */
const OTHERS: Record<OtherType, (ctx: Deps, integration: Integration) => Promise<Tested>> = {
  cube: (ctx, integration) => testIntegration(ctx, baseIdOf(integration)),
  async lake({ openLake }, { id }) {
    await openLake(id).currentSnapshot();
    return answerOf({ product: "DuckLake", version: "1.0" }, []);
  },
  async slack(ctx, integration) {
    const { warnings } = await testToken(ctx, await openSlackCredentials(ctx, integration));
    return answerOf({ product: "Slack", version: "Web API" }, warnings);
  },
  async trino(ctx, integration) {
    const { product, version, tls, warnings } = await testCluster(ctx, integration);
    return { connection: { product, version, tls, can_write: false }, warnings, hindrances: [] };
  },
};

const answerOf = (server: { product: string; version: string }, warnings: string[]): Tested => ({
  connection: { ...server, tls: true, can_write: true },
  warnings,
  hindrances: [],
});

async function testSource(ctx: Deps, integration: SourceIntegration): Promise<Tested> {
  const { scope, openEngine } = ctx;
  const source = await openSource(ctx, integration);
  const {
    product,
    version,
    tls,
    canWrite,
    hindrances = [],
  } = await openEngine(scope.teamId).testConnection({ source, deadlineMs: INTEGRATION_LIMITS.connectionTestMs });
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
