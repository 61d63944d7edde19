// Agents: programs that ask, on a page of the console, whether they may act in somebody's name.

import { api, dataOf } from "../client.ts";
import type { components } from "../schema.d.ts";

type Request = components["schemas"]["AgentAuthorizationRequest"];
export type AgentPreview = components["schemas"]["AgentAuthorizationPreview"];
export type AgentScope = AgentPreview["scopes"][number];

const CONSENT = "/authorize";

export const isConsent = (path: string): boolean => path === CONSENT;

/** What a program has put into the address; a parameter that it names twice is the first of them. */
export function requestOf(search: URLSearchParams): Request {
  const optional = (name: "scope" | "state" | "resource") => {
    const value = search.get(name);
    return value === null ? {} : { [name]: value };
  };
  const text = (name: string) => search.get(name) ?? "";
  return {
    ...{ client_id: text("client_id"), redirect_uri: text("redirect_uri"), response_type: text("response_type") },
    ...{ code_challenge: text("code_challenge"), code_challenge_method: text("code_challenge_method") },
    ...optional("scope"),
    ...optional("state"),
    ...optional("resource"),
  };
}

export const previewAgent = (request: Request): Promise<AgentPreview> =>
  dataOf(api.POST("/v4/agent-authorizations/preview", { body: request }));

/** Lets the program act, and answers where the browser goes with that. */
export const letAgentAct = async (request: Request, scopes: AgentScope[]): Promise<string> =>
  (await dataOf(api.POST("/v4/agent-authorizations", { body: { request, scopes } }))).redirect_url;
