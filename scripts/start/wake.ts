// The demo team's engine and sandbox, started before anybody asks them: its first query and its first run find them up.

import { createHmac } from "node:crypto";
import { ask, call } from "./platform.ts";
import type { DemoTeam, State } from "./state.ts";

const TOKEN_MS = 120_000;

/** Says so where the program does not start; whoever needs it first will hear why. Waits until `stop` at most. */
export async function wakeProgram(
  program: "engine" | "sandbox",
  { url, demo, state, stop }: { url: string; demo: DemoTeam; state: State; stop: AbortSignal },
): Promise<void> {
  const { data } = await ask<{ data: { team: { id: string } } }>(`${url}/v4/me`, "GET", demo.key);
  const token = mintWakeToken(state.secrets.TOKEN_SECRET, data.team.id);
  const { status, body } = await call({
    url: `${url}/internal/wake`,
    method: "POST",
    key: token,
    body: { program },
    stop,
  });
  if (status >= 300)
    console.warn(`  WARNING: The demo team's ${program} did not start (${status}): ${JSON.stringify(body)}`);
}

/** Signs a token like the Worker. */
function mintWakeToken(secret: string, teamId: string): string {
  const token = { use: "wake", teamId, expiresAt: Date.now() + TOKEN_MS };
  const claims = Buffer.from(JSON.stringify(token)).toString("base64url");
  return `${claims}.${createHmac("sha256", secret).update(claims).digest("base64url")}`;
}
