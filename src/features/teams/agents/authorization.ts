// The noun: an agent's authorization, by which a program calls /mcp in the name of the person who gave it.

import { z } from "@hono/zod-openapi";
import { RIGHTS, type Right } from "../../../core/scope.ts";
import type { AuditFacts } from "../../../platform/db/audit-facts.ts";

/** What the tools at /mcp need. A test holds the list to the tools. */
export const AGENT_SCOPES = [
  "query",
  "catalog:read",
  "integrations:read",
  "drive",
  "docs:read",
  "docs:run",
  "jobs:read",
  "docs:write",
  "integrations:write",
  "lake:write",
  "jobs:write",
] as const satisfies readonly Right[];
export type AgentScope = (typeof AGENT_SCOPES)[number];

/** What a program is given that asks for nothing in particular: it reads. */
export const READING_SCOPES: readonly AgentScope[] = [
  "query",
  "catalog:read",
  "integrations:read",
  "docs:read",
  "jobs:read",
];

const Scopes = z.array(z.enum(AGENT_SCOPES)).min(1);

export const AgentAuthorization = z
  .object({
    id: z.uuid(),
    client_id: z.string().openapi({ description: "The address of the document by which the program is known." }),
    client_name: z.string().openapi({ description: "As the program calls itself." }),
    scopes: z.array(z.enum(RIGHTS)).openapi({ description: "What it may use of its user's rights." }),
    ends_with_session: z.boolean().openapi({ description: "Whether it ends with the session that it was given in." }),
    created_at: z.iso.datetime(),
    used_at: z.iso.datetime().nullable().openapi({ description: "When tokens were last fetched; null: never yet." }),
    expires_at: z.iso.datetime().openapi({ description: "It is over then, unless its tokens are renewed before." }),
  })
  .openapi("AgentAuthorization");
export type AgentAuthorization = z.infer<typeof AgentAuthorization>;

const Text = z.string().max(2_000);

/** The query with which a program sends a person to the page that asks them. */
export const AuthorizationRequest = z
  .strictObject({
    client_id: Text,
    redirect_uri: Text,
    response_type: Text.default(""),
    code_challenge: Text.default(""),
    code_challenge_method: Text.default(""),
    scope: Text.optional(),
    state: Text.optional(),
    resource: Text.optional(),
  })
  .openapi("AgentAuthorizationRequest", {
    description: "The parameters of an authorization request as OAuth 2.1 has them.",
  });
export type AuthorizationRequest = z.infer<typeof AuthorizationRequest>;

export const AuthorizationPreview = z
  .object({
    client: z.object({ id: z.string(), name: z.string(), host: z.string() }).openapi("AgentClient"),
    redirect_host: z.string().openapi({ description: "Where the browser goes with the answer." }),
    scopes: z
      .array(z.enum(AGENT_SCOPES))
      .openapi({ description: "What the program asks for, as far as the caller may it." }),
    ends_with_session: z.boolean(),
    cancel_url: z.string().openapi({ description: "Where the browser goes when the person declines." }),
    refusal_url: z
      .string()
      .nullable()
      .openapi({ description: "Where the browser goes at once: the request is none that can be granted." }),
  })
  .openapi("AgentAuthorizationPreview");
export type AuthorizationPreview = z.infer<typeof AuthorizationPreview>;

export const NewAgentAuthorization = z
  .strictObject({
    request: AuthorizationRequest,
    scopes: Scopes.openapi({ description: "Some or all of those that the preview has named." }),
  })
  .openapi("NewAgentAuthorization", {
    example: {
      request: {
        client_id: "https://agent.example.com/client.json",
        redirect_uri: "http://127.0.0.1:33418/callback",
        response_type: "code",
        code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
        code_challenge_method: "S256",
      },
      scopes: ["query", "catalog:read"],
    },
  });
export type NewAgentAuthorization = z.infer<typeof NewAgentAuthorization>;

export const GivenAuthorization = z
  .object({ redirect_url: z.string().openapi({ description: "Where the browser goes with the code." }) })
  .openapi("GivenAgentAuthorization");

/** The audit log's facts of an authorization. */
export const auditedAuthorization = (
  userId: string,
  { client_id, client_name, scopes, ends_with_session }: Omit<AgentAuthorization, "created_at" | "used_at">,
): AuditFacts => ({ user_id: userId, client_id, client_name, scopes, ends_with_session });
