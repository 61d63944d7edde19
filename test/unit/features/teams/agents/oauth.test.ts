// Agents that sign in by OAuth: which programs are known, where answers go, and that tokens are good once and at /mcp.

import { Client, StreamableHTTPClientTransport, UnauthorizedError } from "@modelcontextprotocol/client";
import { env as bindings, exports } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { AGENT_SCOPES } from "../../../../../src/features/teams/agents/authorization.ts";
import { forgetCallers } from "../../../../../src/features/teams/keys/find-caller.ts";
import { sweepSessions } from "../../../../../src/features/teams/sessions/sweep.ts";
import { TOOLS } from "../../../../../src/features/mcp/tools.ts";
import { openClients } from "../../../../../src/clients/clients.ts";
import { app } from "../../../../../src/app.ts";
import { TEAM_LIMITS } from "../../../../../src/features/teams/limits.ts";
import { call } from "../../../../support/unit/http.ts";
import {
  codeOf,
  exchange,
  give,
  newClient,
  postForm,
  preview,
  REDIRECT,
  refresh,
  requestOf,
  serve,
  serveDocuments,
  type Session,
} from "../../../../support/unit/sign-in/agents.ts";
import { callIn, signIn } from "../../../../support/unit/sign-in/session.ts";
import { connect } from "../../../../support/unit/mcp/client.ts";
import { newTeam, type TestTeam } from "../../../../support/unit/team.ts";

const env = bindings as Env;

let team: TestTeam;
let session: Session;
beforeEach(async () => {
  team = await newTeam();
  session = await signIn({ api_key: team.member.key });
});
afterEach(() => vi.restoreAllMocks());

const forgetAll = () => forgetCallers(() => true);
const toolsFor = async (token: string) => (await (await connect(token)).listTools()).tools.map(({ name }) => name);
const mcpStatus = async (token: string) => {
  forgetAll();
  return (await call("POST", "/mcp", { key: token, body: { jsonrpc: "2.0", id: 1, method: "ping" }, headers: ACCEPT }))
    .status;
};
const ACCEPT = { accept: "application/json, text/event-stream" };

async function newTokens(client = newClient()) {
  serve(client);
  const given = await give(session, client, { scopes: ["query", "catalog:read"] } as never);
  expect(given.status, given.body.message).toBe(201);
  const { body } = await exchange(client, codeOf(given));
  return { client, ...body };
}

describe("an agent that a person lets act", () => {
  it("signs in by the protocol's own client, from the refusal to the list of tools", async () => {
    const client = newClient();
    const asked = serve(client);
    const kept: Record<string, string> = {};
    const provider = {
      clientMetadataUrl: client.id,
      redirectUrl: REDIRECT,
      clientMetadata: { redirect_uris: [REDIRECT], token_endpoint_auth_method: "none" },
      state: () => "st",
      clientInformation: () => (kept["client"] ? JSON.parse(kept["client"]) : undefined),
      saveClientInformation: (one: unknown) => void (kept["client"] = JSON.stringify(one)),
      tokens: () => (kept["tokens"] ? JSON.parse(kept["tokens"]) : undefined),
      saveTokens: (tokens: unknown) => void (kept["tokens"] = JSON.stringify(tokens)),
      redirectToAuthorization: (url: URL) => void (kept["url"] = url.href),
      saveCodeVerifier: (verifier: string) => void (kept["verifier"] = verifier),
      codeVerifier: () => kept["verifier"]!,
    };
    const open = () =>
      new StreamableHTTPClientTransport(new URL("https://fjord.test/mcp"), {
        authProvider: provider,
        fetch: (url, init) => exports.default.fetch(new Request(url, init)),
      });
    const transport = open();
    await expect(new Client({ name: "test", version: "1" }).connect(transport)).rejects.toThrow(UnauthorizedError);
    const page = new URL(kept["url"]!);
    expect(page.origin + page.pathname).toBe("https://fjord.test/app/authorize");
    const request = Object.fromEntries(page.searchParams);
    const seen = await callIn(session, "POST", "/v4/agent-authorizations/preview", { body: request });
    expect(seen.body.data).toMatchObject({
      client: { id: client.id, name: "Chat", host: new URL(client.id).host },
      redirect_host: "127.0.0.1:33418",
      ends_with_session: false,
      refusal_url: null,
    });
    const { scopes } = seen.body.data;
    const given = await callIn(session, "POST", "/v4/agent-authorizations", { body: { request, scopes } });
    const back = new URL(given.body.data.redirect_url);
    expect([back.searchParams.get("state"), back.searchParams.get("iss")]).toEqual(["st", "https://fjord.test"]);
    await transport.finishAuth(back.searchParams);
    const signedIn = new Client({ name: "test", version: "1" });
    await signedIn.connect(open());
    const { tools } = await signedIn.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["run_sql", "search_catalog"]));
    expect(asked).toEqual([client.id]);
  });

  it("may what was given and no more, and what the user may not, it may not either", async () => {
    const { access_token: token, scope, expires_in: seconds } = await newTokens();
    expect([scope, seconds]).toEqual(["query catalog:read", TEAM_LIMITS.agentAccessMs / 1_000]);
    expect(await toolsFor(token)).toContain("run_sql");
    expect(await toolsFor(token)).not.toContain("drive_file");
    const client = newClient();
    serve(client);
    const seen = await preview(session, client, { scope: "query lake:write offline_access" });
    expect(seen.body.data.scopes).toEqual(["query"]);
    const beyond = await give(session, client, { scope: "query", scopes: ["query", "drive"] } as never);
    expect([beyond.status, beyond.body.error.flaws[0].pointer]).toEqual([422, "/scopes"]);
    const admin = await signIn({ api_key: team.admin.key });
    expect((await preview(admin, client, { scope: "query lake:write" })).body.data.scopes).toEqual([
      "query",
      "lake:write",
    ]);
    expect((await preview(session, client, { scope: "" })).body.data.scopes).not.toContain("drive");
  });

  it("brings its token to /mcp alone", async () => {
    const { access_token: token, refresh_token: again } = await newTokens();
    expect(await mcpStatus(token)).toBe(200);
    expect(await mcpStatus(again)).toBe(401);
    for (const path of ["/v4/me", "/v1/query", "/iceberg/v1/config"])
      expect((await call(path === "/v1/query" ? "POST" : "GET", path, { key: token, body: undefined })).status).toBe(
        401,
      );
    expect((await call("GET", "/v3/drive/files", { key: token })).status).toBe(403);
  });

  it("fetches tokens anew, each time others, and ends when a refresh token comes twice", async () => {
    const { client, access_token: first, refresh_token: old } = await newTokens();
    const second = await refresh(client, old);
    expect([second.status, second.headers.get("cache-control")]).toEqual([200, expect.stringContaining("no-store")]);
    expect(await mcpStatus(second.body.access_token)).toBe(200);
    expect((await refresh(client, old)).body.error).toBe("invalid_grant");
    for (const token of [first, second.body.access_token]) expect(await mcpStatus(token)).toBe(401);
    expect((await refresh(client, second.body.refresh_token)).body.error).toBe("invalid_grant");
    const events = await env.DB.prepare("select action from audit_events where team_id = ? and action like 'agent_%'")
      .bind(team.id)
      .all();
    expect(events.results.map(({ action }) => action)).toEqual([
      "agent_authorization.create",
      "agent_authorization.delete",
    ]);
  });

  it("has one of two that refresh at once answered", async () => {
    const { client, refresh_token: token } = await newTokens();
    const answers = await Promise.all([refresh(client, token), refresh(client, token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it("exchanges a code once, with its verifier, where it was asked for, within a minute", async () => {
    const client = newClient();
    serve(client);
    const code = codeOf(await give(session, client));
    for (const changes of [
      { code_verifier: "another-verifier-0123456789-0123456789-0123" },
      { redirect_uri: "https://chat.example.com/back" },
      { client_id: newClient().id },
      { code: `${code.slice(0, -2)}xx` },
      { resource: "https://elsewhere.example.com/mcp" },
    ]) {
      const { status, body } = await exchange(client, code, changes as Record<string, string>);
      expect([status, body.error]).toEqual([400, "resource" in changes ? "invalid_target" : "invalid_grant"]);
    }
    const { body } = await exchange(client, code);
    expect(await mcpStatus(body.access_token)).toBe(200);
    expect((await exchange(client, code)).body.error).toBe("invalid_grant");
    // It was copied: what it was exchanged for is good no more either.
    expect(await mcpStatus(body.access_token)).toBe(401);
    const late = codeOf(await give(session, client));
    vi.useFakeTimers({ now: Date.now() + TEAM_LIMITS.agentCodeMs, toFake: ["Date"] });
    expect((await exchange(client, late)).body.error).toBe("invalid_grant");
    vi.useRealTimers();
  });

  it("refreshes as itself alone, and says what it wants", async () => {
    const { client, refresh_token: token } = await newTokens();
    expect((await refresh(newClient(), token)).body.error).toBe("invalid_grant");
    expect((await refresh(client, token, { client_id: "" })).body.error).toBe("invalid_client");
    expect((await refresh(client, token, { grant_type: "password" })).body.error).toBe("unsupported_grant_type");
    expect((await refresh(client, token)).status).toBe(200);
  });

  it("ends by itself, by its person and by who manages the team, and with the user", async () => {
    const own = await newTokens();
    expect((await postForm("/oauth/revoke", { token: own.refresh_token })).status).toBe(200);
    expect(await mcpStatus(own.access_token)).toBe(401);
    expect((await postForm("/oauth/revoke", { token: "nothing" })).status).toBe(200);
    expect((await postForm("/oauth/revoke", {})).body.error).toBe("invalid_request");

    const path = "/v4/agent-authorizations";
    const other = await team.newMember();
    for (const key of [team.member.key, team.admin.key]) {
      const { access_token: token } = await newTokens();
      const listed = await callIn(session, "GET", path);
      expect(listed.body.data.items).toMatchObject([{ client_name: "Chat", scopes: ["query", "catalog:read"] }]);
      const ofUser = await call("GET", `/v4/users/${team.member.id}/agent-authorizations`, { key: team.admin.key });
      expect(ofUser.body.data.items).toEqual(listed.body.data.items);
      const { id } = listed.body.data.items[0];
      expect((await call("DELETE", `${path}/${id}`, { key: other.key })).status).toBe(404);
      expect((await call("DELETE", `${path}/${id}`, { key })).status).toBe(204);
      expect(await mcpStatus(token)).toBe(401);
    }
    const { access_token: token } = await newTokens();
    await call("DELETE", `/v4/users/${team.member.id}`, { key: team.admin.key });
    expect(await mcpStatus(token)).toBe(401);
  });

  it("is over when nothing was fetched for so long, and forgotten", async () => {
    const { access_token: token } = await newTokens();
    await env.DB.prepare("update agent_authorizations set expires_at = '2000' where team_id = ?").bind(team.id).run();
    expect(await mcpStatus(token)).toBe(401);
    await sweepSessions(openClients(env), new Date());
    const { n } = (await env.DB.prepare("select count(*) n from agent_authorizations where team_id = ?")
      .bind(team.id)
      .first<{ n: number }>())!;
    expect(n).toBe(0);
  });

  it("ends with the session that it was given in, where that ends with a key or an account", async () => {
    const end = new Date(Date.now() + 3_600_000).toISOString();
    const path = `/v4/users/${team.member.id}/keys`;
    const made = await call("POST", path, { key: team.admin.key, body: { name: "k", expires_at: end } });
    const ofKey = await signIn({ api_key: made.body.data.key });
    const client = newClient();
    serve(client);
    expect((await preview(ofKey, client)).body.data.ends_with_session).toBe(true);
    const { body } = await exchange(client, codeOf(await give(ofKey, client)));
    expect(await mcpStatus(body.access_token)).toBe(200);
    await call("DELETE", `${path}/${made.body.data.id}`, { key: team.admin.key });
    expect(await mcpStatus(body.access_token)).toBe(401);
    expect((await refresh(client, body.refresh_token)).body.error).toBe("invalid_grant");
  });

  it("is let by a person in a browser alone: no key lets it, nor a session that is over", async () => {
    const client = newClient();
    serve(client);
    const body = await requestOf(client);
    expect((await call("POST", "/v4/agent-authorizations/preview", { key: team.member.key, body })).status).toBe(409);
    const given = { request: body, scopes: ["query"] };
    expect((await call("POST", "/v4/agent-authorizations", { key: team.member.key, body: given })).status).toBe(409);
    await callIn(session, "DELETE", "/v4/session");
    expect((await give(session, client)).status).toBe(401);
  });
});

describe("an agent's program", () => {
  it.each([
    ["is another's document", { client_id: "https://other.example.com/client.json" }],
    ["needs a secret", { token_endpoint_auth_method: "client_secret_post" }],
    ["asks nobody", { grant_types: ["client_credentials"] }],
    ["has nowhere to be answered", { redirect_uris: [] }],
  ])("is not known where its document %s", async (_, changes) => {
    const client = newClient(changes);
    serve(client);
    const { status, body } = await preview(session, client);
    expect([status, body.error.flaws[0].pointer]).toEqual([422, "/client_id"]);
  });

  it.each([
    ["leads elsewhere", () => new Response(null, { status: 302, headers: { location: "https://example.com/" } })],
    ["is no JSON", () => new Response("<html>")],
    ["is too long", () => new Response(JSON.stringify({ a: "x".repeat(TEAM_LIMITS.agentClientBytesMax) }))],
    ["is not there", () => new Response("", { status: 404 })],
  ])("is not known where its document %s", async (_, answer) => {
    const client = newClient();
    serveDocuments({ [client.id]: answer });
    expect((await preview(session, client)).status).toBe(422);
  });

  it("is not asked for at an address that is no public one, or is spelled otherwise", async () => {
    const asked = serveDocuments({});
    for (const id of [
      ...["http://agent.example.com/c.json", "https://10.0.0.1/c.json", "https://agent.internal/c.json"],
      ...["https://agent.example.com", "https://agent.example.com/", "https://AGENT.example.com/c.json"],
      ...["https://u:p@agent.example.com/c.json", "https://agent.example.com/c.json#x", "chat", "file:///etc/passwd"],
      ...["https://fjord.test/mcp"],
    ]) {
      const { status, body } = await preview(session, { id, document: {} as never });
      expect([id, status, body.error?.flaws[0].pointer]).toEqual([id, 422, "/client_id"]);
    }
    expect(asked).toEqual([]);
  });

  it("is asked for once in a while, and so many of them by one person", async () => {
    const client = newClient();
    const asked = serve(client);
    await preview(session, client);
    await preview(session, client);
    expect(asked).toEqual([client.id]);
    await env.DB.prepare("update sign_in_tries set tries = ?").bind(TEAM_LIMITS.agentClientTriesMax).run();
    const { status, headers } = await preview(session, newClient());
    expect([status, Number(headers.get("retry-after")) > 0]).toEqual([429, true]);
    expect(asked).toEqual([client.id]);
  });

  it("is answered at an address of its list alone, whichever port of this machine that is", async () => {
    const custom = "com.example.chat:/back";
    const listed = [
      REDIRECT,
      "https://chat.example.com/back",
      "javascript:alert(1)",
      "http://chat.example.com/",
      custom,
    ];
    const client = newClient({ redirect_uris: listed });
    serve(client);
    const statusAt = async (address: string) => (await preview(session, client, { redirect_uri: address })).status;
    for (const address of [REDIRECT, "http://127.0.0.1:1/callback", "https://chat.example.com/back", custom])
      expect([address, await statusAt(address)]).toEqual([address, 200]);
    for (const address of [
      ...["http://127.0.0.1:1/other", "http://127.0.0.1:1/callback?x=1", "http://localhost:33418/callback"],
      ...["https://chat.example.com/back/", "https://chat.example.com:8443/back", "https://chat.example.com/back#x"],
      ...["javascript:alert(1)", "http://chat.example.com/", "http://127.0.0.1.example.com:1/callback", "x"],
    ])
      expect([address, await statusAt(address)]).toEqual([address, 422]);
  });

  it("learns at its address what is wrong with a request, and that a person declines", async () => {
    const client = newClient();
    serve(client);
    const refusalOf = async (changes: Record<string, string>) => {
      const { refusal_url: url } = (await preview(session, client, changes)).body.data;
      expect((await give(session, client, changes as never)).status).toBe(422);
      return new URL(url).searchParams.get("error");
    };
    expect(await refusalOf({ response_type: "token" })).toBe("unsupported_response_type");
    expect(await refusalOf({ code_challenge_method: "plain" })).toBe("invalid_request");
    expect(await refusalOf({ code_challenge: "short" })).toBe("invalid_request");
    expect(await refusalOf({ resource: "https://fjord.test/v4" })).toBe("invalid_target");
    expect(await refusalOf({ scope: "lake:write" })).toBe("access_denied");
    const cancelled = new URL((await preview(session, client)).body.data.cancel_url);
    expect(Object.fromEntries(cancelled.searchParams)).toEqual({
      ...{ error: "access_denied", state: "st", iss: "https://fjord.test" },
    });
  });
});

describe("what programs read before they ask", () => {
  it("is where tokens are given, and how", async () => {
    const refused = await call("POST", "/mcp", { body: {}, headers: ACCEPT });
    const challenge = /^Bearer resource_metadata="https:\/\/fjord\.test(.*)"$/.exec(
      refused.headers.get("www-authenticate")!,
    );
    const resource = (await call("GET", challenge![1]!)).body;
    expect(resource).toMatchObject({
      resource: "https://fjord.test/mcp",
      authorization_servers: ["https://fjord.test"],
    });
    expect((await call("GET", "/.well-known/oauth-protected-resource")).body).toEqual(resource);
    expect((await call("GET", "/.well-known/oauth-authorization-server")).body).toMatchObject({
      ...{ issuer: "https://fjord.test", authorization_endpoint: "https://fjord.test/app/authorize" },
      ...{ code_challenge_methods_supported: ["S256"], client_id_metadata_document_supported: true },
    });
  });

  it("names the rights that the tools need, and no others", () => {
    const permissionOf = new Map(app.operations.map(({ id, declared }) => [id, declared.permission]));
    const needed = TOOLS.flatMap(({ operations, right }) => [
      ...operations.map((id) => permissionOf.get(id)!),
      ...(right ? [right] : []),
    ]);
    const rights = new Set<string>(needed);
    rights.delete("any_key");
    expect([...rights].sort()).toEqual([...AGENT_SCOPES].sort());
  });
});
