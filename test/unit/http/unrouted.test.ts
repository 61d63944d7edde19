import { describe, expect, it } from "vitest";
import { listOperations, methodRefusalOf, readDocument } from "../../support/unit/conformance.ts";
import { call, send } from "../../support/unit/http.ts";
import { newTeam } from "../../support/unit/team.ts";

describe("a path nobody answers", () => {
  it.each(["/v4/nowhere", "/v1/nowhere", "/v4", "/nowhere", "/v4/me/", "/v4/%E0%A4%A"])(
    "is 404 in the failure document: %s",
    async (path) => {
      const { status, body } = await call("GET", path);
      expect(status).toBe(404);
      expect(body).toMatchObject({
        success: false,
        error: { code: "resource_not_found", title: "Resource Not Found", retryable: false },
      });
    },
  );
});

describe("a method the path does not have", () => {
  it.each([
    ["PUT", "/v4/me", "GET, HEAD, OPTIONS"],
    ["GET", "/v4/admin/bootstrap", "POST, OPTIONS"],
    ["HEAD", "/v4/admin/bootstrap", "POST, OPTIONS"],
    ["POST", "/health", "GET, HEAD, OPTIONS"],
    ["PATCH", "/v4/users", "GET, POST, HEAD, OPTIONS"],
    ["DELETE", "/openapi.json", "GET, HEAD, OPTIONS"],
  ])("is 405 with Allow, with or without a key: %s %s", async (method, path, allow) => {
    const { admin } = await newTeam();
    for (const key of [undefined, admin.key]) {
      const { status, headers, body } = await call(method, path, { key });
      expect([status, headers.get("allow")]).toEqual([405, allow]);
      if (method !== "HEAD") expect(body.error.code).toBe("method_not_allowed");
    }
  });
});

describe("Allow", () => {
  it("names exactly the methods of its path, and every other is refused", async () => {
    const operations = await listOperations();
    for (const template of Object.keys((await readDocument()).paths)) {
      const path = template.replaceAll(/\{\w+\}/g, () => crypto.randomUUID());
      const own = operations.filter((operation) => operation.path === template).map(({ method }) => method);
      const allowed = [...own, ...(own.includes("GET") ? ["HEAD"] : []), "OPTIONS"].sort();
      const options = await call("OPTIONS", path);
      expect([template, options.headers.get("allow")?.split(", ").sort()]).toEqual([template, allowed]);
      for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "PROPFIND"]) {
        const { status, headers } = await call(method, path);
        const isRefused = status === methodRefusalOf(path, method);
        expect([template, method, isRefused]).toEqual([template, method, !allowed.includes(method)]);
        if (status === 405) expect(headers.get("allow")).toBe(options.headers.get("allow"));
      }
    }
  });

  it("lets pages of any origin send every header that an operation heeds", async () => {
    const { headers } = await call("OPTIONS", "/v4/me");
    const allowed = headers.get("access-control-allow-headers")!.toLowerCase().split(", ");
    const { paths } = await readDocument();
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods)) as {
      parameters?: { in: string; name: string }[];
    }[];
    const heeded = operations.flatMap(({ parameters = [] }) =>
      parameters.filter((parameter) => parameter.in === "header").map(({ name }) => name.toLowerCase()),
    );
    expect(heeded.filter((name) => !allowed.includes(name))).toEqual([]);
  });
});

describe("HEAD", () => {
  it("answers as GET does, without the body", async () => {
    const { admin } = await newTeam();
    const [head, get] = await Promise.all([
      send("HEAD", "/v4/me", { key: admin.key }),
      send("GET", "/v4/me", { key: admin.key }),
    ]);
    expect([head.status, head.headers.get("content-type")]).toEqual([get.status, get.headers.get("content-type")]);
    expect(await head.text()).toBe("");
    await get.body?.cancel();
  });

  it("asks for a key as GET does", async () => {
    expect((await call("HEAD", "/v4/me")).status).toBe(401);
  });
});
