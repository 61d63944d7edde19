import { describe, expect, it } from "vitest";
import { call, send } from "../../../support/unit/http.ts";

const page = async (path: string) => {
  const response = await send("GET", path);
  return { status: response.status, headers: response.headers, text: await response.text() };
};

const nonceOf = (policy: string | null) => /'nonce-([0-9a-f]{32})'/.exec(policy ?? "")?.[1];

describe("/app", () => {
  it.each(["/app", "/app/", "/app/query", "/app/catalog/one/two", "/app/no.js"])(
    "is the one page for anybody, kept by nobody, whatever the screen: %s",
    async (path) => {
      const { status, headers, text } = await page(path);
      expect([status, headers.get("content-type"), headers.get("cache-control")]).toEqual([
        200,
        "text/html; charset=UTF-8",
        "no-store",
      ]);
      expect(text).toContain('<div id="root">');
    },
  );

  it("runs its own scripts alone, and takes styles that carry the answer's nonce, a fresh one each time", async () => {
    const [first, second] = [await page("/app"), await page("/app")];
    const policy = first.headers.get("content-security-policy");
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[0-9a-f]{32}';/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*/);
    const nonce = nonceOf(policy)!;
    expect(first.text).toContain(`nonce="${nonce}"`);
    expect(first.text).not.toContain("CSP_NONCE");
    expect(nonceOf(second.headers.get("content-security-policy"))).not.toBe(nonce);
    expect(first.text).not.toMatch(/<script>|<style|https?:\/\//);
  });

  it("serves every file the page names, to be kept for good", async () => {
    const { text } = await page("/app");
    const named = [...text.matchAll(/(?:src|href)="(\/app\/assets\/[^"]+)"/g)].map(([, path]) => path!);
    expect(named.length).toBeGreaterThan(2);
    for (const path of named) {
      const { status, headers } = await page(path);
      expect([path, status, headers.get("cache-control")]).toEqual([path, 200, "public, max-age=31536000, immutable"]);
    }
  });

  it("answers a file that is not there with the failure document, which nobody keeps", async () => {
    const { headers, body } = await call("GET", "/app/assets/index-00000000.js");
    expect([body.error.code, headers.get("cache-control")]).toEqual(["resource_not_found", "no-store"]);
  });

  it("answers no unknown path of the API", async () => {
    const { headers, body } = await call("GET", "/v1/nothing");
    expect([body.error.code, headers.get("content-type")]).toEqual(["resource_not_found", "application/json"]);
  });
});
