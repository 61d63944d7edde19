import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { openSettings } from "../../../src/platform/settings.ts";

describe("ownHosts", () => {
  it("is where the platform answers, and this machine at that port where loopback may be named", () => {
    const at = (PLATFORM_URL: string, HOSTS_ALLOWED: Env["HOSTS_ALLOWED"]) =>
      openSettings({ ...env, PLATFORM_URL, HOSTS_ALLOWED }).ownHosts;
    expect(at("https://fjord.example.com", "")).toEqual(["fjord.example.com:443"]);
    expect(at("http://127.0.0.1:8787", "loopback")).toContain("localhost:8787");
    expect(at("http://host.docker.internal:8787", "loopback")).toEqual(["host.docker.internal:8787", "localhost:8787"]);
    expect(at("", "")).toEqual([]);
  });
});
