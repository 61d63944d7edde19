// Slack is asked whether a bot's token is good, and whose it is.

import { LIMITS } from "../../../core/limits.ts";
import { Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import type { SlackCredentials } from "../credentials/credentials.ts";
import { SLACK_CALL_LIMITS } from "./limits.ts";

export type TestedToken = { details: Record<string, string>; warnings: string[] };

/** Throws `connection_failed` for a token that Slack refuses, and `source_unreachable` where Slack says nothing. */
export async function testToken(
  { callSlack }: Needs<"callSlack">,
  { bot_token: token }: SlackCredentials,
): Promise<TestedToken> {
  const answer = await callSlack({ method: "auth.test", token, body: {}, deadlineMs: SLACK_CALL_LIMITS.answerMs });
  switch (answer.kind) {
    case "ok":
      return { details: detailsOf(answer.body), warnings: warningsOf(answer.scopes) };
    case "refused": {
      const message = `Slack does not take this token (${answer.code}).`;
      throw new Problem("connection_failed", message, [{ pointer: "/credentials/bot_token", message }]);
    }
    case "limited":
      throw Object.assign(new Problem("source_unavailable", "Slack wants fewer requests for a while."), {
        retryAfterSeconds: Math.ceil((answer.retryAfterMs ?? SLACK_CALL_LIMITS.retryMsDefault) / 1_000),
      });
    case "unknown":
      throw new Problem("source_unreachable", answer.reason);
  }
}

/** By the names of the API; a bot has the name of its app. */
function detailsOf({ team, team_id: teamId, user }: Record<string, unknown>): Record<string, string> {
  return { workspace: nameOf(team), workspace_id: nameOf(teamId), bot: nameOf(user) };
}

const nameOf = (value: unknown): string => (typeof value === "string" ? value.slice(0, LIMITS.nameCharactersMax) : "");

const warningsOf = (scopes: string[] | undefined): string[] =>
  scopes && !scopes.includes("chat:write")
    ? ["The bot has not the scope chat:write: until its app is given that, it can post nothing."]
    : [];
