// What a run that may not reach the internet can say through a tunnel to the platform: TLS, to the platform by name.

import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect, createServer as createListener, type AddressInfo, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls, createServer, type Server, type TLSSocket } from "node:tls";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { HelloReader } from "../../../containers/sandbox/proxy/client-hello.ts";
import { Proxy } from "../../../containers/sandbox/proxy/proxy.ts";

const folder = mkdtempSync(join(tmpdir(), "fjord-tunnel-"));
const file = (name: string) => readFileSync(new URL(`../../support/node/servers/tls/${name}`, import.meta.url));
let platform: Server;
let proxy: Proxy;
let port: number;
/** To the doc's author. */
const REPORTED: string[] = [];
beforeAll(async () => {
  platform = createServer({ key: file("server.key"), cert: file("server.crt") }, (socket) =>
    socket.on("error", () => undefined).end("the platform"),
  );
  await once(platform.listen(0), "listening");
  port = (platform.address() as AddressInfo).port;
  proxy = new Proxy({ platformUrl: `https://localhost:${port}`, s3Endpoint: "", s3Dial: "" });
  await proxy.listen(join(folder, "proxy.sock"));
  proxy.grant("closed", { teamId: "team", internet: false }, (text) => REPORTED.push(text));
  proxy.grant("open", { teamId: "team", internet: true }, () => undefined);
});
afterAll(async () => {
  await proxy.stop();
  platform.close();
  rmSync(folder, { recursive: true });
});

/** A tunnel to the platform, established. */
async function tunnel(): Promise<Socket> {
  const socket = connect(proxy.port, "127.0.0.1").on("error", () => undefined);
  socket.write(
    `CONNECT localhost:${port} HTTP/1.1\r\nhost: localhost:${port}\r\nproxy-authorization: Basic ${btoa("run:closed")}\r\n\r\n`,
  );
  const [answer] = (await once(socket, "data")) as [Buffer];
  expect(answer.toString()).toBe("HTTP/1.1 200 Connection Established\r\n\r\n");
  return socket;
}

/** The first line that answers a CONNECT. */
async function answerTo(authority: string, token: string): Promise<string> {
  const socket = connect(proxy.port, "127.0.0.1");
  const credentials = btoa(`run:${token}`);
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nproxy-authorization: Basic ${credentials}\r\nhost: x\r\n\r\n`);
  return (await heard(socket)).split("\r\n")[0]!;
}

/** All that comes back, until the other side closes. */
async function heard(socket: Socket | TLSSocket): Promise<string> {
  const pieces: Buffer[] = [];
  socket.on("error", () => undefined).on("data", (piece: Buffer) => pieces.push(piece));
  await new Promise<void>((resolve) => socket.once("close", () => resolve()));
  return Buffer.concat(pieces).toString();
}

const greet = async (servername: string) =>
  heard(connectTls({ socket: await tunnel(), servername, rejectUnauthorized: false }));

/** What a client of TLS says first. */
async function newHello(servername: string): Promise<Buffer> {
  const listener = createListener().listen(0);
  await once(listener, "listening");
  const client = connectTls({
    port: (listener.address() as AddressInfo).port,
    servername,
    rejectUnauthorized: false,
  }).on("error", () => undefined);
  const [socket] = (await once(listener, "connection")) as [Socket];
  const [bytes] = (await once(socket, "data")) as [Buffer];
  for (const end of [client, socket, listener]) "destroy" in end ? end.destroy() : end.close();
  return bytes;
}

describe("a tunnel to the platform", () => {
  it("carries TLS to the platform", async () => expect(await greet("localhost")).toBe("the platform"));
  it("does not carry TLS to another who answers at that address, and says that it may not", async () => {
    const refused = connectTls({ socket: await tunnel(), servername: "elsewhere.example", rejectUnauthorized: false });
    const [error] = (await once(refused, "error")) as [Error];
    expect(error.message).toMatch(/access denied/);
    expect(REPORTED.at(-1)).toMatch(/^localhost:\d+: .* handshake does not name localhost\. .*sandbox_internet/);
  });
  it("carries nothing that names nobody, or is no TLS", async () => {
    expect(await greet("")).toBe("");
    const socket = await tunnel();
    socket.write("GET / HTTP/1.1\r\nhost: elsewhere.example\r\n\r\n");
    expect(await heard(socket)).not.toContain("platform");
    expect(REPORTED.at(-1)).toMatch(/it is no TLS/);
  });
  it("refuses a hello in records of one byte, and carries one that comes in three", async () => {
    const bytes = await newHello("localhost");
    const crumbs = await tunnel();
    crumbs.write(recut(bytes, 1));
    expect(await heard(crumbs)).toContain("\x15\x03\x03");
    expect(REPORTED.at(-1)).toMatch(/it is no TLS/);
    const carried = await tunnel();
    carried.write(recut(bytes, Math.ceil((bytes.length - 5) / 3)));
    const [answer] = (await once(carried, "data")) as [Buffer];
    expect([answer[0], answer[5]]).toEqual([22, 2]);
    carried.destroy();
  });
});

describe("a tunnel that is not made says why in the line that clients show", () => {
  it.each([
    ["example.com:443", "closed", /^HTTP\/1\.1 403 .*an admin opens the internet by .* sandbox_internet\.$/],
    ["127.0.0.1:22", "open", /^HTTP\/1\.1 403 .*127\.0\.0\.1 is not on the public internet.*no setting changes that/],
    ["metadata.invalid:80", "open", /^HTTP\/1\.1 502 .*can't be found in the DNS/],
    ["example.com", "open", /^HTTP\/1\.1 403 .*CONNECT wants host:port/],
    ["example.com:443", "nobody", /^HTTP\/1\.1 407 .*credentials/],
  ])("%s for %s", async (authority, token, line) => expect(await answerTo(authority, token)).toMatch(line));
});

const readHello = (bytes: Buffer) => new HelloReader().push(bytes);

/** Cuts a TLS hello into records of `size` bytes. */
function recut(hello: Buffer, size: number): Buffer {
  const records: Buffer[] = [];
  for (let at = 5; at < hello.length; at += size) {
    const content = hello.subarray(at, at + size);
    records.push(Buffer.from([22, 3, 1, content.length >> 8, content.length & 0xff]), content);
  }
  return Buffer.concat(records);
}

describe("HelloReader", () => {
  it("finds the name, whether the hello comes in one record or a few", async () => {
    const bytes = await newHello("fjord.example.com");
    expect(readHello(bytes)).toEqual({ name: "fjord.example.com", isEncrypted: false });
    for (let at = 0; at < bytes.length; at++) expect(readHello(bytes.subarray(0, at))).toBeUndefined();
    for (const records of [3, 16]) {
      const cut = recut(bytes, Math.ceil((bytes.length - 5) / records));
      expect(readHello(cut)).toEqual({ name: "fjord.example.com", isEncrypted: false });
    }
  });

  it("takes many records, and lengths past its bound, for no hello", async () => {
    const bytes = await newHello("fjord.example.com");
    expect(readHello(recut(bytes, 1))).toBeNull();
    expect(readHello(Buffer.from([22, 3, 1, 0, 4, 1, 1, 0, 0]))).toBeNull();
  });

  it("looks at a hello that comes byte by byte only where a record begins or ends", async () => {
    const bytes = recut(await newHello("fjord.example.com"), 200);
    const reader = new HelloReader();
    const concat = vi.spyOn(Buffer, "concat");
    try {
      const answers = [...bytes].map((byte) => reader.push(Buffer.from([byte])));
      expect(answers.pop()).toEqual({ name: "fjord.example.com", isEncrypted: false });
      expect(new Set(answers)).toEqual(new Set([undefined]));
      expect(concat.mock.calls.length).toBeLessThan(100);
      expect(reader.bytes()).toEqual(bytes);
    } finally {
      concat.mockRestore();
    }
  });

  it("says where a name is encrypted, or there are two, and takes nothing broken for a hello", async () => {
    const bytes = await newHello("fjord.example.com");
    const name = bytes.indexOf("fjord.example.com") - 9;
    const changed = (change: (copy: Buffer) => void) => {
      const copy = Buffer.from(bytes);
      change(copy);
      return readHello(copy);
    };
    expect(changed((copy) => copy.writeUInt16BE(0xfe0d, name))).toEqual({ name: null, isEncrypted: true });
    expect(changed((copy) => copy.writeUInt8(1, name + 6))).toBeNull();
    expect(changed((copy) => copy.writeUInt16BE(5, name + 7))).toBeNull();
    expect(changed((copy) => copy.writeUInt16BE(0xffff, name + 2))).toBeNull();
    for (const text of ["GET / HTTP/1.1\r\n\r\n", "\x17\x03\x01\x00\x05hello", "\x16\x03\x01\x00\x00"])
      expect(readHello(Buffer.from(text, "latin1"))).toBeNull();
  });
});
