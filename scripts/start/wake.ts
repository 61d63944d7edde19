// The demo team's engine and sandbox, started before anybody asks them: its first query and its first run find them up.

import { createHmac } from "node:crypto";
import { step } from "../process/steps.ts";
import { ask, call } from "./platform.ts";
import type { DemoTeam, State } from "./state.ts";

const TOKEN_MS = 120_000;

/** Says so where they don't start; whoever needs them first will hear why. */
export async function wakePrograms(url: string, { key }: DemoTeam, { secrets }: State): Promise<void> {
  await step("Starting the demo team's engine and sandbox", async () => {
    const { data } = await ask<{ data: { team: { id: string } } }>(`${url}/v4/me`, "GET", key);
    const token = mintWakeToken(secrets.TOKEN_SECRET, data.team.id);
    const { status, body } = await call(`${url}/internal/wake`, "POST", token, {});
    if (status >= 300) console.warn(`  WARNING: They did not start (${status}): ${JSON.stringify(body)}`);
  });
}

/** Signs a token like the Worker. */
function mintWakeToken(secret: string, teamId: string): string {
  const token = { use: "wake", teamId, expiresAt: Date.now() + TOKEN_MS };
  const claims = Buffer.from(JSON.stringify(token)).toString("base64url");
  return `${claims}.${createHmac("sha256", secret).update(claims).digest("base64url")}`;
}
