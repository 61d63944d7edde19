import { describe, expect, it } from "vitest";
import { LayeredRouter } from "../../../src/http/layered-router.ts";

/** What answers a path, and with which parameters, for routes written `METHOD path`. */
function routerOf(routes: string[]): (method: string, path: string) => string[] {
  const router = new LayeredRouter<{ route: string }>();
  for (const route of routes) router.add(route.split(" ")[0]!, route.split(" ")[1]!, { route });
  return (method, path) => router.match(method, path)[0].map(([{ route }]) => route);
}

const ROUTES = [
  "ALL *",
  "GET /jobs",
  "GET /jobs/:id",
  "GET /jobs/schedules",
  "POST /jobs/:id/run",
  "POST /jobs/all/run",
  "DELETE /jobs/:id",
  "GET /jobs/:id/logs/:log",
  "GET /jobs/:id/logs/last",
  "GET /jobs/all/logs/:log",
];

describe.each([
  ["as declared", ROUTES],
  ["declared the other way round", [ROUTES[0]!, ...ROUTES.slice(1).reverse()]],
])("a router with words beside parameters, %s", (_, declared) => {
  const match = routerOf(declared);
  it.each([
    ["GET", "/jobs", "GET /jobs"],
    ["GET", "/jobs/7", "GET /jobs/:id"],
    ["GET", "/jobs/schedules", "GET /jobs/schedules"],
    ["GET", "/jobs/schedules2", "GET /jobs/:id"],
    ["DELETE", "/jobs/7", "DELETE /jobs/:id"],
    ["POST", "/jobs/7/run", "POST /jobs/:id/run"],
    ["POST", "/jobs/all/run", "POST /jobs/all/run"],
    ["GET", "/jobs/7/logs/8", "GET /jobs/:id/logs/:log"],
    ["GET", "/jobs/7/logs/last", "GET /jobs/:id/logs/last"],
    ["GET", "/jobs/all/logs/8", "GET /jobs/all/logs/:log"],
  ])("%s %s is answered by %s, after the middleware", (method, path, route) => {
    expect(match(method, path)).toEqual(["ALL *", route]);
  });

  it.each([
    ["GET", "/nowhere"],
    ["PUT", "/jobs/7"],
    ["POST", "/jobs/schedules"],
    // The word's path has no such method, though the parameter's beside it has.
    ["DELETE", "/jobs/schedules"],
  ])("%s %s reaches the middleware only", (method, path) => {
    expect(match(method, path)).toEqual(["ALL *"]);
  });
});

describe("a router that has answered", () => {
  it("takes no more routes", () => {
    const router = new LayeredRouter<string>();
    router.add("GET", "/", "root");
    router.match("GET", "/");
    expect(() => router.add("GET", "/late", "late")).toThrow("after the first request");
  });
});
