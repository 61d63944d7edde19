import { describe, expect, it } from "vitest";
import { createApp } from "../../../src/http/router.ts";
import { call, send } from "../../support/unit/http.ts";
import { newTeam } from "../../support/unit/team.ts";

describe("every answer", () => {
  it("carries the caller's request id where that is a UUID, in header and document", async () => {
    const requestId = crypto.randomUUID();
    const { headers, body } = await call("GET", "/v4/me", { headers: { "x-request-id": requestId.toUpperCase() } });
    expect(headers.get("x-request-id")).toBe(requestId);
    expect(body.meta.requestId).toBe(requestId);
  });

  it.each(["not a uuid", "a".repeat(300), '{"event":"forged"}'])(
    "gets a request id of ours instead of %j",
    async (given) => {
      const { headers, body } = await call("GET", "/v4/me", { headers: { "x-request-id": given } });
      expect(headers.get("x-request-id")).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
      expect(body.meta.requestId).toBe(headers.get("x-request-id"));
    },
  );

  it.each(["/", "/v4/me", "/v4/nowhere", "/openapi.json"])(
    "has security headers, leave for browsers and a duration: %s",
    async (path) => {
      const { headers } = await send("GET", path, { headers: { origin: "https://app.test" } });
      expect(Object.fromEntries(headers)).toMatchObject({
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "strict-transport-security": expect.stringMatching(/^max-age=\d{8}/),
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
        "access-control-allow-origin": "*",
        "access-control-expose-headers":
          "X-Request-Id, Server-Timing, Retry-After, RateLimit, RateLimit-Policy, Allow, ETag, Location, Age, " +
          "Cache-Status, Fjord-Engine, Idempotency-Replayed",
        "server-timing": expect.stringMatching(/^total;dur=[\d.]+$/),
      });
      expect(headers.has("access-control-allow-credentials")).toBe(false);
    },
  );

  it("serves browsers whoever asked for it first, where it may be kept", async () => {
    const { headers } = await send("GET", "/openapi.json");
    expect([headers.get("cache-control"), headers.get("access-control-allow-origin")]).toEqual([
      "public, max-age=300",
      "*",
    ]);
  });

  it("is not stored when it answered a key", async () => {
    const { admin } = await newTeam();
    expect((await call("GET", "/v4/me", { key: admin.key })).headers.get("cache-control")).toBe("no-store");
  });

  it("keeps its manners when it was passed through with sealed headers", async () => {
    const app = createApp();
    app.get("/through", () => Response.redirect("https://elsewhere.test/", 302));
    const response = await app.request("/through");
    expect(response.status).toBe(302);
    expect(response.headers.get("location")).toBe("https://elsewhere.test/");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  });
});

describe("a preflight", () => {
  it("is granted without a key, for the methods the path has, and may be kept", async () => {
    const headers = {
      origin: "https://app.test",
      "access-control-request-method": "PATCH",
      "access-control-request-headers": "authorization",
    };
    const answer = await call("OPTIONS", "/v4/users/some-id", { headers });
    expect(answer.status).toBe(204);
    expect(answer.headers.get("access-control-allow-methods")).toBe("GET, PATCH, DELETE, HEAD, OPTIONS");
    expect(answer.headers.get("access-control-allow-headers")).toMatch(/Authorization, Content-Type/);
    expect(Number(answer.headers.get("access-control-max-age"))).toBeGreaterThan(0);
  });
});
