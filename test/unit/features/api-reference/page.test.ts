import { describe, expect, it } from "vitest";
import { call, send } from "../../../support/unit/http.ts";

const page = async (path: string) => {
  const response = await send("GET", path);
  return { status: response.status, headers: response.headers, text: await response.text() };
};

describe("/docs", () => {
  it.each(["/docs", "/docs/"])(
    "is a page for anybody, that runs nothing inline and loads nothing from elsewhere: %s",
    async (path) => {
      const { status, headers, text } = await page(path);
      expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
      expect(headers.get("content-security-policy")).toMatch(
        /^default-src 'none'; script-src 'self'; style-src 'self';/,
      );
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(text).not.toMatch(/<script>|<style|https?:\/\//);
    },
  );

  it("has a filter, and keeps the key that was typed", async () => {
    const { text } = await page("/docs/page.js");
    for (const option of ["filter: true", "persistAuthorization: true"]) expect(text).toContain(option);
  });

  it("serves every file the page names", async () => {
    const { text } = await page("/docs");
    const named = [...text.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)].map(([, path]) => path!);
    expect(named.length).toBeGreaterThan(3);
    for (const path of named) {
      const { status, body } = await send("GET", path);
      await body?.cancel();
      expect([path, status]).toEqual([path, 200]);
    }
  });

  it.each(["/docs/nothing.js", "/docs/..%2F..%2Fwrangler.toml"])(
    "answers 404 in the failure document to a file it does not have: %s",
    async (path) => {
      expect((await call("GET", path)).body.error.code).toBe("resource_not_found");
    },
  );
});
