// HTTP to Snowflake and its stores: to addresses that were checked, within bounds of time and size, and over TLS that
// was verified.

import { readFileSync } from "node:fs";
import * as http from "node:http";
import * as https from "node:https";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { connect } from "../../../../containers/engine/sources/snowflake/connection/connect.ts";
import { serviceUrl, storeUrl } from "../../../../containers/engine/sources/snowflake/connection/hosts.ts";
import {
  PinnedHttp,
  unpackBody,
  type HttpRequest,
} from "../../../../containers/engine/sources/services/pinned-http.ts";
import { CREDENTIALS } from "../../../support/node/sources/snowflake/fake-sessions.ts";

/** Signs itself. */
const tlsFile = (name: string) => readFileSync(new URL(`../../../support/node/servers/tls/${name}`, import.meta.url));

let server: http.Server;
let serve: http.RequestListener;
const opened = new Set<unknown>();

beforeAll(async () => {
  vi.stubEnv("HOSTS_ALLOWED", "loopback");
  server = http.createServer((request, response) => serve(request, response));
  server.on("connection", (socket) => {
    opened.add(socket);
    socket.on("close", () => opened.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await new Promise((resolve) => server.close(resolve));
});

const MIB = 1024 * 1024;

async function get(change: Partial<HttpRequest> = {}) {
  const client = new PinnedHttp("Snowflake", { socketsMax: 8 });
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const signal = AbortSignal.timeout(10_000);
  try {
    return await client.request({ method: "GET", url, headers: {}, silentMs: 5_000, bytesMax: MIB, signal, ...change });
  } finally {
    client.close(new Error("closed"));
    await expect.poll(() => opened.size).toBe(0);
  }
}

describe("an answer", () => {
  test("of which nothing comes for long is given up", async () => {
    serve = (_, response) => response.write("half");
    await expect(get({ silentMs: 200 })).rejects.toMatchObject({ code: "ETIMEDOUT" });
  });

  test("that ends before its length, or has no end, is none", async () => {
    serve = (_, response) => {
      response.writeHead(200, { "content-length": 100 });
      response.write("half", () => response.destroy());
    };
    await expect(get()).rejects.toThrow();
    serve = (_, response) => void response.write("half", () => response.destroy());
    await expect(get()).rejects.toThrow();
  });

  test("of more bytes than there is room for is given up, packed or not", async () => {
    serve = (_, response) => {
      const more = () => {
        while (response.write(Buffer.alloc(64 * 1024)));
        response.once("drain", more);
      };
      more();
    };
    await expect(get()).rejects.toMatchObject({ code: "resources_exceeded" });
    const bomb = gzipSync(Buffer.alloc(8 * MIB));
    const packed = { status: 200, headers: { "content-encoding": "gzip" }, body: bomb };
    await expect(unpackBody("Snowflake", packed, MIB)).rejects.toMatchObject({ code: "resources_exceeded" });
  });

  test("that redirects is given as it is", async () => {
    serve = (_, response) => void response.writeHead(302, { location: "http://127.0.0.1:1/" }).end();
    expect((await get()).status).toBe(302);
  });
});

describe("a host", () => {
  test.each(["http://169.254.169.254/", "http://10.0.0.1/", "http://[fd00:ec2::254]/", "http://100.100.100.200/"])(
    "that may not be dialled is not: %s",
    async (url) => {
      await expect(get({ url: new URL(url) })).rejects.toMatchObject({ reason: "host_forbidden" });
    },
  );

  test.each([
    "https://sfc-ds1.s3.us-west-2.amazonaws.com/results/a?X-Amz-Signature=b",
    "https://s3.amazonaws.com/bucket/a",
    "https://bucket.s3-eu-west-1.amazonaws.com/a",
    "https://bucket.s3.cn-north-1.amazonaws.com.cn/a",
    "https://account.blob.core.windows.net/results/a?sig=b",
    "https://account.z12.blob.storage.azure.net/results/a",
    "https://storage.googleapis.com/bucket/a",
    "https://bucket.storage.googleapis.com/a",
    "https://sfc-prod3.snowflakecomputing.com/a",
  ])("of a store is known as one: %s", (url) => {
    expect(storeUrl({ origin: "https://acme.snowflakecomputing.com", isEmulated: false }, url).href).toBe(url);
  });

  test.each([
    "https://evil.com/s3.amazonaws.com",
    "https://s3.amazonaws.com.evil.com/a",
    "https://evil-amazonaws.com/a",
    "https://evilstorage.googleapis.com/a",
    "https://ec2.us-east-1.amazonaws.com/a",
    "https://s3.amazonaws.com@evil.com/a",
    "https://snowflakecomputing.com.evil.com/a",
    "http://127.0.0.1/a",
    "ftp://s3.amazonaws.com/a",
    "",
    17,
  ])("of no store is known as none: %s", (url) => {
    const service = { origin: "https://acme.snowflakecomputing.com", isEmulated: false };
    expect(() => storeUrl(service, url)).toThrow(/keeps no results/);
  });
});

test.each([
  "https://acme.snowflakecomputing.com@evil.com/queries/a/result",
  "https://acme.snowflakecomputing.com.evil.com/queries/a/result",
  "https://acme.snowflakecomputing.com:8443/queries/a/result",
  "https://user@acme.snowflakecomputing.com/queries/a/result",
  "https://other.snowflakecomputing.com/queries/a/result",
  "http://acme.snowflakecomputing.com/queries/a/result",
])("a session's token is sent to its service alone, not to %s", (url) => {
  const service = { origin: "https://acme.snowflakecomputing.com", isEmulated: false };
  expect(() => serviceUrl(service, url)).toThrow(/not its own/);
  expect(serviceUrl(service, `${service.origin}/session`).href).toBe(`${service.origin}/session`);
});

test("a service whose certificate nobody vouches for is sent no password", async () => {
  let requests = 0;
  const impostor = https.createServer({ cert: tlsFile("server.crt"), key: tlsFile("server.key") }, (_, response) => {
    requests++;
    response.end();
  });
  await new Promise<void>((resolve) => impostor.listen(0, "127.0.0.1", resolve));
  vi.stubEnv("ENGINE_SNOWFLAKE_EMULATOR", `https://127.0.0.1:${(impostor.address() as AddressInfo).port}`);
  try {
    await expect(connect(CREDENTIALS, AbortSignal.timeout(10_000))).rejects.toMatchObject({ reason: "tls" });
    expect(requests).toBe(0);
  } finally {
    await new Promise((resolve) => impostor.close(resolve));
  }
});
