// Integrations with the real servers behind the unit ring, made through the API as a user would.

import { env } from "cloudflare:workers";
import { expect, inject } from "vitest";
import { engineName } from "../../../src/platform/engine/engine-names.ts";
import { call } from "./http.ts";
import type { TestTeam } from "./team.ts";

declare module "vitest" {
  // What the Node side of the ring provides: `test/support/node/platform/worker-bindings.ts` and `servers.ts`.
  interface ProvidedContext {
    postgres: { host: string; port: number; username: string; password: string };
    mariadb: { host: string; port: number; username: string; password: string };
    engineLogUrl: string;
    fullSupervisor: { url: string; token: string };
  }
}

/** Credentials of the ring's PostgreSQL, as its superuser. */
export function postgresCredentials(
  changes: Partial<Record<"host" | "port" | "database" | "username" | "password", string>> = {},
) {
  const { host, port, username, password } = inject("postgres");
  return { host, port: String(port), database: "postgres", username, password, ...changes };
}

export function mysqlCredentials(
  changes: Partial<Record<"host" | "port" | "database" | "username" | "password", string>> = {},
) {
  const { host, port, username, password } = inject("mariadb");
  return { host, port: String(port), database: "mysql", username, password, ...changes };
}

/** Answers the new integration's id. */
export async function addPostgres(
  { admin }: TestTeam,
  changes: Parameters<typeof postgresCredentials>[0] = {},
): Promise<string> {
  const { status, body } = await call("POST", "/v1/api/integrations", {
    key: admin.key,
    body: { type: "postgres", credentials: postgresCredentials(changes) },
  });
  expect(status).toBe(201);
  return body.integration.id;
}

/** The supervisor's address of a team's engine. */
const instanceOf = (teamId: string, ordinal: number): string =>
  `${env.SUPERVISOR_URL}/instances/${env.ENGINE.idFromName(engineName(teamId, ordinal))}`;

/** Sends a signal to a team's engine process, behind the platform's back. */
export async function signalEngine(teamId: string, signal: number, ordinal = 0): Promise<void> {
  const answer = await fetch(`${instanceOf(teamId, ordinal)}/signal`, {
    method: "POST",
    headers: { authorization: `Bearer ${env.SUPERVISOR_TOKEN}` },
    body: JSON.stringify({ signal }),
  });
  expect(answer.status).toBe(204);
}

/** Which start of a team's engine runs; undefined while none does. */
export async function engineBoot(teamId: string, ordinal = 0): Promise<string | undefined> {
  const answer = await fetch(instanceOf(teamId, ordinal), {
    headers: { authorization: `Bearer ${env.SUPERVISOR_TOKEN}` },
  });
  const { boot } = answer.status === 200 ? await answer.json<{ boot: string }>() : { boot: undefined };
  return boot;
}
