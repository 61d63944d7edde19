// The server behind a mount: who is let in, what is a path, what is never served.

import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DriveEntry } from "../../../kernel/wire/drive.ts";
import type { Ask } from "../../../containers/sandbox/drive/drive.ts";
import { ObjectStore } from "../../../containers/program/object-store.ts";
import { DriveServer } from "../../../containers/sandbox/drive/webdav.ts";
import { RunPlatformStandIn } from "../../support/node/sandbox/run-platform.ts";

let platform: RunPlatformStandIn;
let server: DriveServer;
let name: string;
const REPORTED: string[] = [];

beforeAll(async () => {
  platform = await new RunPlatformStandIn().start();
  server = new DriveServer(new ObjectStore(""));
  await server.listen();
  const added = server.add();
  name = added.name;
  added.view.open({ ask: askOf(), report: (text) => REPORTED.push(text) });
  platform.put("team", "in/a b%20.txt", "0123456789");
  platform.put("team", "top.txt", "x");
});
afterAll(async () => {
  await server.stop();
  await platform.stop();
});

const askOf = (): Ask => async (path, body, answer) =>
  answer.parse(await (await fetch(`${platform.url}${path}`, { method: "POST", body: JSON.stringify(body) })).json());

/** The path as it is written, which `fetch` would normalize. */
function send(
  method: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: string }> {
  return new Promise((resolve, reject) => {
    const asked = httpRequest(
      {
        host: "127.0.0.1",
        port: server.port,
        method,
        path,
        headers: { authorization: `Bearer ${server.secret}`, ...headers },
      },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.on("end", () =>
          resolve({ status: answer.statusCode!, headers: answer.headers, body: Buffer.concat(chunks).toString() }),
        );
      },
    );
    asked.on("error", reject);
    asked.end();
  });
}

const hrefsIn = (body: string) => [...body.matchAll(/<D:href>([^<]*)<\/D:href>/g)].map(([, href]) => href);

describe("the drive's server", () => {
  it.each(["", "Bearer ", "Bearer wrong", "Basic eDp4"])("lets nobody in with %j", async (authorization) => {
    for (const [method, path] of [
      ["PROPFIND", "/"],
      ["GET", `/${name}/top.txt`],
      ["GET", "/check"],
    ] as const)
      expect((await send(method, path, { authorization })).status).toBe(401);
  });

  it("lists a folder, and describes one file", async () => {
    const listed = await send("PROPFIND", `/${name}/`, { depth: "1" });
    expect([listed.status, hrefsIn(listed.body)]).toEqual([207, [`/${name}/`, `/${name}/top.txt`, `/${name}/in/`]]);
    expect(hrefsIn((await send("PROPFIND", `/${name}/in/`, { depth: "1" })).body)).toEqual([
      `/${name}/in/`,
      `/${name}/in/a%20b%2520.txt`,
    ]);
    const one = await send("PROPFIND", `/${name}/in/a%20b%2520.txt`, { depth: "0" });
    expect(one.body).toContain("<D:getcontentlength>10</D:getcontentlength>");
    expect(hrefsIn((await send("PROPFIND", `/${name}/in`, { depth: "0" })).body)).toEqual([`/${name}/in/`]);
  });

  it.each([
    [undefined, 200, "0123456789"],
    ["bytes=2-4", 206, "234"],
    ["bytes=8-", 206, "89"],
    ["bytes=-3", 206, "789"],
    ["bytes=5-500", 206, "56789"],
    ["bytes=10-", 416, ""],
  ])("sends the range %s", async (range, status, body) => {
    const answer = await send("GET", `/${name}/in/a%20b%2520.txt`, range === undefined ? {} : { range });
    expect([answer.status, answer.body]).toEqual([status, body]);
  });

  it.each([
    `/${name}/../${"x"}/top.txt`,
    `/${name}/in/../top.txt`,
    `/${name}/in/%2e%2e/top.txt`,
    `/${name}/in%2f..%2ftop.txt`,
    `/${name}//top.txt`,
    `/${name}/./top.txt`,
    `/${name}/%00`,
    `/${name}/%`,
    "/..",
    "//etc/passwd",
    "/etc/passwd",
    "/worker-99",
    "/worker-99/top.txt",
    `/${name}/absent`,
    `/${name}/in/absent/deeper`,
  ])("serves nothing at %s", async (path) => {
    const before = platform.driveCalls.filter((call) => call.startsWith("read")).length;
    expect((await send("GET", path)).status).toBeGreaterThanOrEqual(400);
    expect((await send("PROPFIND", path, { depth: "0" })).status).toBeGreaterThanOrEqual(400);
    expect(platform.driveCalls.filter((call) => call.startsWith("read")).length).toBe(before);
  });

  it.each(["PUT", "DELETE", "MKCOL", "MOVE", "COPY", "PROPPATCH", "LOCK", "POST"])("refuses %s", async (method) => {
    expect((await send(method, `/${name}/top.txt`)).status).toBe(405);
  });

  it("serves a view nothing before it is opened, and nothing after it is closed", async () => {
    const { name: other, view } = server.add();
    expect((await send("GET", `/${other}/top.txt`)).status).toBe(403);
    view.open({ ask: askOf(), report: () => undefined });
    expect((await send("GET", `/${other}/top.txt`)).body).toBe("x");
    server.remove(other);
    expect((await send("GET", `/${other}/top.txt`)).status).toBe(404);
  });

  it("reads the very file that was listed, or says that it is another", async () => {
    const { name: other, view } = server.add();
    view.open({ ask: askOf(), report: (text) => REPORTED.push(text) });
    expect((await send("GET", `/${other}/top.txt`)).body).toBe("x");
    platform.put("team", "top.txt", "y");
    expect((await send("GET", `/${other}/top.txt`)).status).toBe(409);
    expect(REPORTED.at(-1)).toMatch(/top\.txt was replaced or removed/);
    server.remove(other);
  });

  it("answers an error where the platform does not, and the file once it does", async () => {
    const { name: other, view } = server.add();
    view.open({ ask: () => Promise.reject(new Error("it is not there")), report: (text) => REPORTED.push(text) });
    expect((await send("PROPFIND", `/${other}/`, { depth: "1" })).status).toBe(409);
    expect(REPORTED.at(-1)).toMatch(/could not be listed: it is not there/);
    view.open({ ask: askOf(), report: () => undefined });
    expect((await send("PROPFIND", `/${other}/`, { depth: "1" })).status).toBe(207);
    server.remove(other);
  });

  it("shows names that can't be shown by a word of it, and a folder where a file has its name", async () => {
    const { name: other, view } = server.add();
    const file = (path: string): DriveEntry => ({ path, etag: "1", bytes: 1, modified: new Date(0).toISOString() });
    const listing = {
      root: "",
      files: [file("ok"), file("both"), file("."), file("x".repeat(300))],
      folders: ["both/", "/"],
      cursor: null,
    };
    view.open({
      ask: (_path, _body, answer) => Promise.resolve(answer.parse(listing)),
      report: (text) => REPORTED.push(text),
    });
    expect(hrefsIn((await send("PROPFIND", `/${other}/`, { depth: "1" })).body)).toEqual([
      `/${other}/`,
      `/${other}/ok`,
      `/${other}/both/`,
    ]);
    expect(REPORTED.at(-1)).toMatch(/^3 of the drive's files/);
    server.remove(other);
  });
});
