// A test's own identity provider, and the browser that goes there and back.

import { expect, inject } from "vitest";
import { call, type Answer } from "../http.ts";
import { callIn, cookieOf, OWN_PAGE, postSession, somewhere } from "./session.ts";
import type { TestTeam } from "../team.ts";

declare module "vitest" {
  interface ProvidedContext {
    issuerUrl: string;
  }
}

export type TestIssuer = {
  url: string;
  /** What it does from now on, see `test/support/node/sign-in/fake-issuer.ts`. */
  set(behaviour: object): Promise<void>;
  /** The paths that were asked for, in order. */
  requests(): Promise<string[]>;
};

export async function newIssuer(behaviour: object = {}): Promise<TestIssuer> {
  const control = `${inject("issuerUrl")}/control/${crypto.randomUUID()}`;
  const send = async (body: object) =>
    (await fetch(control, { method: "PUT", body: JSON.stringify(body) })).json<{ url: string; requests: string[] }>();
  const { url } = await send(behaviour);
  return { url, set: async (changed) => void (await send(changed)), requests: async () => (await send({})).requests };
}

/** The TXT records of a name from now on. */
export const setTexts = async (name: string, texts: string[]): Promise<void> =>
  void (await fetch(`${inject("issuerUrl")}/dns/${name}`, { method: "PUT", body: JSON.stringify(texts) }));

export const setProvider = (team: TestTeam, issuer: string, more: object = {}): Promise<Answer> =>
  call("PUT", "/v4/team/identity-provider", {
    key: team.admin.key,
    body: { name: "Acme", issuer, client_id: "fjord", ...more },
  });

/** What the browser comes back with after the provider's page, and the cookie that it left with. */
export type Return = { parameters: string; cookie: string };

export async function travel(begun: Answer): Promise<Return> {
  expect(begun.status).toBe(200);
  const page = await fetch(begun.body.data.url, { redirect: "manual" });
  return { parameters: new URL(page.headers.get("location")!).search, cookie: cookieOf(begun) };
}

export const beginOidc = (providerId: string): Promise<Answer> =>
  call("POST", "/v4/session/oidc", { body: { provider_id: providerId }, headers: { ...OWN_PAGE, ...somewhere() } });

export const endOidc = ({ parameters, cookie }: Return): Promise<Answer> =>
  postSession({ oidc: { parameters } }, { ...OWN_PAGE, cookie });

/** From the button to the session, or to what refuses it. */
export const signInAt = async (providerId: string): Promise<Answer> =>
  endOidc(await travel(await beginOidc(providerId)));

/** Binds an account in a session, from the button to the platform's answer. */
export async function bindIn(session: Record<string, string>): Promise<Answer> {
  const { parameters, cookie } = await travel(await callIn(session, "POST", "/v4/identities/oidc"));
  return callIn({ ...session, cookie: `${session["cookie"]}; ${cookie}` }, "POST", "/v4/identities", {
    body: { parameters },
  });
}
