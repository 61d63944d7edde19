// The page that shows a published dashboard within others, and the frame of a tile: who may frame them, and what they
// may load.

import { beforeAll, describe, expect, it } from "vitest";
import { publishDashboard, type PublishedDashboard } from "../../../support/unit/endpoints/dashboards.ts";
import { call, send } from "../../../support/unit/http.ts";
import { newTeam } from "../../../support/unit/team.ts";

const ORIGINS = ["https://portal.example.com", "http://localhost:3000"];

let published: PublishedDashboard;
let address: string;
beforeAll(async () => {
  published = await publishDashboard(await newTeam(), { frame_ancestors: ORIGINS });
  address = published.path.replace("/v1/", "/embed/");
});

const page = async (path: string) => {
  const response = await send("GET", path);
  const policy = response.headers.get("content-security-policy") ?? "";
  const parts = Object.fromEntries(policy.split("; ").map((part) => [part.split(" ")[0]!, part]));
  return { status: response.status, headers: response.headers, policy, parts, text: await response.text() };
};
const withoutNonce = (text: string) => text.replaceAll(/[0-9a-f]{32}/g, "");

describe("/embed/dashboards", () => {
  it("is framed by the dashboard's own list, and keeps, sends and loads nothing of others", async () => {
    const { status, headers, policy, parts, text } = await page(address);
    expect([status, headers.get("content-type"), headers.get("cache-control")]).toEqual([
      200,
      "text/html; charset=UTF-8",
      "no-store",
    ]);
    expect(parts["frame-ancestors"]).toBe(`frame-ancestors ${ORIGINS.join(" ")}`);
    expect(parts["connect-src"]).toBe("connect-src 'self'");
    expect(parts["frame-src"]).toBe(`frame-src https://fjord.test${address}/tile-frame`);
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[0-9a-f]{32}';/);
    expect(policy).not.toMatch(/unsafe|\*/);
    expect(headers.get("set-cookie")).toBeNull();
    expect(text).toContain(`<meta name="framing-origins" content="${ORIGINS.join(" ")}"`);
    expect(text).not.toMatch(/CSP_NONCE|FRAMING_ORIGINS/);
  });

  it("is framed by no page of the platform's own, which a tile could be led to", async () => {
    const frame_ancestors = ["https://fjord.test", "https://a.example"];
    const own = await publishDashboard(await newTeam(), { frame_ancestors });
    for (const path of [own.path, `${own.path}/tile-frame`])
      expect((await page(path.replace("/v1/", "/embed/"))).parts["frame-ancestors"]).not.toContain(
        "https://fjord.test",
      );
  });

  it("takes a changed list at once", async () => {
    const other = await publishDashboard(await newTeam());
    const path = other.path.replace("/v1/", "/embed/");
    expect((await page(path)).parts["frame-ancestors"]).toBe("frame-ancestors 'none'");
    const body = { frame_ancestors: ["https://a.example"] };
    await call("PATCH", `/v4/published-dashboards/${other.id}`, { key: other.team.admin.key, body });
    expect((await page(path)).parts["frame-ancestors"]).toBe("frame-ancestors https://a.example");
  });

  it("is the same page, framed by nobody, for a dashboard that is not there", async () => {
    const { team, name } = published;
    const unknown = [`/embed/dashboards/${team.id}/nobody`, `/embed/dashboards/${crypto.randomUUID()}/${name}`];
    const [first, ...others] = await Promise.all([...unknown, `/embed/dashboards/x/${name}`].map(page));
    for (const other of [first!, ...others]) {
      expect([other.status, other.parts["frame-ancestors"]]).toEqual([200, "frame-ancestors 'none'"]);
      expect(withoutNonce(other.text)).toBe(withoutNonce(first!.text));
    }
    expect(withoutNonce((await page(address)).text).replace(ORIGINS.join(" "), "")).toBe(withoutNonce(first!.text));
  });
});

describe("the frame of a tile", () => {
  it("has neither an origin nor a network, wherever it is opened", async () => {
    const { status, parts, policy, headers } = await page("/app/tile-frame");
    expect([status, headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(parts).toMatchObject({
      "default-src": "default-src 'none'",
      sandbox: "sandbox allow-scripts",
      "form-action": "form-action 'none'",
      // One script alone may stand in it: frames within take this over, and run no other.
      "script-src": expect.stringMatching(/^script-src 'sha256-[A-Za-z0-9+/]{43}=' 'unsafe-eval'$/),
      "frame-ancestors": "frame-ancestors 'self'",
    });
    for (const name of ["connect-src", "frame-src", "worker-src", "child-src"]) expect(parts).not.toHaveProperty(name);
    expect(headers.get("connection-allowlist")).toBe("()");
    expect(policy).not.toMatch(/https?:|allow-same-origin|allow-top|allow-popups|allow-forms|\*/);
  });

  it("may stand within a published dashboard where that may stand", async () => {
    const { parts } = await page(`${address}/tile-frame`);
    expect(parts["frame-ancestors"]).toBe(`frame-ancestors 'self' ${ORIGINS.join(" ")}`);
    expect(parts["sandbox"]).toBe("sandbox allow-scripts");
  });
});

it("lets the console frame a tile's page alone, and nobody the console", async () => {
  const { parts } = await page("/app/dashboards");
  expect(parts["frame-src"]).toBe("frame-src https://fjord.test/app/tile-frame");
  expect(parts["frame-ancestors"]).toBe("frame-ancestors 'none'");
});
