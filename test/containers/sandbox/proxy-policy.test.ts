// Where a run's requests may go, as the proxy decides it.

import { describe, expect, it } from "vitest";
import { routeOf, routeOfTunnel } from "../../../containers/sandbox/proxy/policy.ts";
import { STORE_PATH } from "../../support/node/sandbox/run-platform.ts";

describe("the proxy's policy", () => {
  const places = { platformUrl: "http://127.0.0.1:8787", s3Endpoint: `http://127.0.0.1:8787${STORE_PATH}`, s3Dial: "" };
  const way = (url: string, internet = false) =>
    "refused" in routeOf(new URL(url), [], places, { teamId: "team", internet }) ? "refused" : "open";
  it.each([
    ["/v1/query", "open"],
    ["/v4/me?x=1", "open"],
    ["/health", "open"],
    ["/", "open"],
    ["/internal/runs/1/finish", "refused"],
    ["/v1/../internal/runs/1/finish", "refused"],
    ["/v1/%2e%2e/internal/x", "refused"],
    ["/cdn-cgi/mf/scheduled", "refused"],
    ["//internal/x", "refused"],
    [`${STORE_PATH}/fjord/team/drive/a.txt?X-Amz-Signature=1`, "open"],
    [`${STORE_PATH}/fjord/team/drive/a.txt`, "refused"],
    [`${STORE_PATH}/fjord/team/lake/x?X-Amz-Signature=1`, "refused"],
    [`${STORE_PATH}/fjord/other/drive/a.txt?X-Amz-Signature=1`, "refused"],
    [`${STORE_PATH}/fjord/team/drive/../../other/drive/a?X-Amz-Signature=1`, "refused"],
    [`${STORE_PATH}/fjord?list-type=2&X-Amz-Signature=1`, "refused"],
  ])("of the platform's address: %s is %s", (path, expected) =>
    expect(way(`http://127.0.0.1:8787${path}`, true)).toBe(expected),
  );

  it("lets nobody out without the team's setting, and tunnels to no plain service of ours", () => {
    expect([way("http://example.com/"), way("http://example.com/", true), way("http://127.0.0.1:9999/")]).toEqual([
      "refused",
      "open",
      "refused",
    ]);
    const tunnel = (authority: string, internet = true) =>
      Object.keys(routeOfTunnel(authority, places, { teamId: "team", internet }))[0];
    expect([
      tunnel("127.0.0.1:8787"),
      tunnel("example.com:443"),
      tunnel("example.com:443", false),
      tunnel("example.com"),
      tunnel("a b:443"),
    ]).toEqual(["refused", "resolve", "refused", "refused", "refused"]);
  });

  it("tunnels to a platform and a store that speak TLS", () => {
    const deployed = {
      platformUrl: "https://fjord.example.com",
      s3Endpoint: "https://1.r2.cloudflarestorage.com",
      s3Dial: "",
    };
    const policy = { teamId: "team", internet: false };
    expect(routeOfTunnel("fjord.example.com:443", deployed, policy)).toEqual({
      dial: { host: "fjord.example.com", port: 443 },
    });
    expect(routeOfTunnel("1.r2.cloudflarestorage.com:443", deployed, policy)).toHaveProperty("dial");
  });
});
