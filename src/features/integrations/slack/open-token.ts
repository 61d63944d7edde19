// An integration of type Slack holds its bot's token, which is opened here.

import { invalidAt } from "../../../core/problem.ts";
import type { Needs, OfTeam } from "../../../clients/context.ts";
import { SlackCredentials } from "../credentials/credentials.ts";
import { getIntegration } from "../get.ts";
import type { Integration } from "../integration.ts";
import { openCredentials } from "../open-source.ts";

type Deps = Needs<"db" | "vault"> & OfTeam;

/** Throws 404 where the team has no such integration, `validation_failed` for one of another type. */
export async function openSlackToken(deps: Deps, integrationId: string): Promise<string> {
  const integration = await getIntegration(deps, integrationId);
  if (integration.type !== "slack") {
    const message = `An integration of type ${integration.type} posts no messages: name one of type slack.`;
    throw invalidAt("/integration_id", message);
  }
  return (await openSlackCredentials(deps, integration)).bot_token;
}

export const openSlackCredentials = async (deps: Deps, { id }: Pick<Integration, "id">): Promise<SlackCredentials> =>
  SlackCredentials.parse(await openCredentials(deps, id));
