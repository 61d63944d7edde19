// How connections to databases are encrypted and verified, and what keeps a password from being read on the way.

import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type AddressInfo, type Server as TcpServer, type Socket } from "node:net";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { Failure } from "../../../containers/engine/core/failure.ts";
import type { ConnectionReport, DatabaseCredentials } from "../../../kernel/wire/source.ts";
import { mysql } from "../../../containers/engine/sources/mysql/connector.ts";
import { postgres } from "../../../containers/engine/sources/postgres/connector.ts";
import { startMariadb } from "../../support/node/servers/mariadb.ts";
import type { RunningServer } from "../../support/node/servers/server.ts";
import { connectPostgres, mariadbSource, ownPostgres, postgresSource } from "../../support/node/sources/sources.ts";
import { startTcpProxy, type TcpProxy } from "../../support/node/servers/tcp-proxy.ts";

/** Signs itself, for localhost and 127.0.0.1. Both test servers have it. */
const certificate = readFileSync(new URL("../../support/node/servers/tls/server.crt", import.meta.url), "utf8");

type Kind = "postgres" | "mysql";
type Changes = Partial<DatabaseCredentials>;

function test(kind: Kind, changes: Changes): Promise<ConnectionReport> {
  const signal = AbortSignal.timeout(60_000);
  if (kind === "postgres") return postgres.test(postgresSource(ownPostgres(), changes), signal);
  const { credentials } = mariadbSource(inject("mariadb"), "mysql");
  return mysql.test({ type: "mysql", credentials: { ...credentials, host: "localhost", ...changes } }, signal);
}

async function failureOf(kind: Kind, changes: Changes): Promise<Failure> {
  const error = await test(kind, changes).then(
    (report) => report,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Failure);
  return error as Failure;
}

const LISTENERS: TcpServer[] = [];

async function listen(answer: (socket: Socket) => void): Promise<string> {
  const listener = createServer((socket) => answer(socket.on("error", () => undefined)));
  LISTENERS.push(listener);
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  return String((listener.address() as AddressInfo).port);
}

let bare: RunningServer;
let admin: pg.Client;
/** Ports of servers without TLS; and of 127.0.0.2, which their certificate does not name. */
const PLAIN = {} as Record<Kind, string>;
const ELSEWHERE = {} as Record<Kind, string>;
const PROXIES: TcpProxy[] = [];
beforeAll(async () => {
  [bare, admin] = await Promise.all([startMariadb({ tls: false }), connectPostgres(ownPostgres())]);
  PROXIES.push(
    await startTcpProxy(ownPostgres(), { hideTls: true }),
    await startTcpProxy(ownPostgres(), { host: "127.0.0.2" }),
    await startTcpProxy(inject("mariadb"), { host: "127.0.0.2" }),
  );
  [PLAIN.postgres, ELSEWHERE.postgres, ELSEWHERE.mysql] = PROXIES.map(({ port }) => port) as [string, string, string];
  PLAIN.mysql = String(bare.server.port);
});
afterAll(async () => {
  for (const listener of [...LISTENERS, ...PROXIES]) listener.close();
  await Promise.all([bare?.stop(), admin?.end()]);
});

describe.each<Kind>(["postgres", "mysql"])("a connection to %s", (kind) => {
  it.each([
    ["encrypts where it can", {}, true],
    ["does without TLS where sslmode says so", { sslmode: "disable" }, false],
    ["encrypts where it must", { sslmode: "require" }, true],
    ["verifies the authority it is given", { sslmode: "verify-ca", sslrootcert: certificate }, true],
    ["verifies the name too", { sslmode: "verify-full", sslrootcert: `Issuer: …\n${certificate}` }, true],
  ] as [string, Changes, boolean][])("%s", async (_name, changes, tls) => {
    expect(await test(kind, changes)).toMatchObject({ tls });
  });

  it("takes a server without TLS only where nothing more was asked for", async () => {
    const port = PLAIN[kind];
    expect(await test(kind, { port })).toMatchObject({ tls: false });
    for (const sslmode of ["require", "verify-ca", "verify-full"] as const) {
      expect(await failureOf(kind, { port, sslmode })).toMatchObject({
        reason: "tls",
        message: expect.stringContaining(`sslmode is ${sslmode}`),
      });
    }
  });

  it("refuses a certificate of an authority that it does not know", async () => {
    for (const sslmode of ["verify-ca", "verify-full"] as const) {
      expect(await failureOf(kind, { sslmode })).toMatchObject({
        reason: "tls",
        message: expect.stringContaining("sslrootcert"),
      });
    }
  });

  it("refuses a certificate for another name, if names are to be compared", async () => {
    const there = { host: "127.0.0.2", port: ELSEWHERE[kind], sslrootcert: certificate };
    expect(await test(kind, { ...there, sslmode: "verify-ca" })).toMatchObject({ tls: true });
    expect(await failureOf(kind, { ...there, sslmode: "verify-full" })).toMatchObject({
      reason: "tls",
      message: expect.stringMatching(/name/),
    });
  });

  it.each(["", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])(
    "says that %j is no certificate",
    async (sslrootcert) => {
      expect(await failureOf(kind, { sslmode: "verify-ca", sslrootcert })).toMatchObject({
        reason: "tls",
        message: expect.stringContaining("PEM"),
      });
    },
  );
});

describe("a password in the clear", () => {
  it("goes to a PostgreSQL that asks for it without TLS only with the user's word", async () => {
    const [{ path, rules }] = (
      await admin.query(
        "SELECT setting AS path, pg_read_file(setting) AS rules FROM pg_settings WHERE name = 'hba_file'",
      )
    ).rows as { path: string; rules: string }[] as [{ path: string; rules: string }];
    const write = async (text: string) => {
      // An empty line would be written as two quotes.
      const lines = text
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => `(${admin.escapeLiteral(line)})`);
      await admin.query(
        `COPY (VALUES ${lines.join(", ")}) TO ${admin.escapeLiteral(path)} (FORMAT csv, QUOTE E'\\x01', DELIMITER E'\\x02')`,
      );
      await admin.query("SELECT pg_reload_conf()");
    };
    await admin.query("DROP ROLE IF EXISTS clear_reader; CREATE ROLE clear_reader LOGIN PASSWORD 'clear pass'");
    const clear = { username: "clear_reader", password: "clear pass", sslmode: "disable" } as const;
    try {
      await write(`host all clear_reader all password\n${rules}`);
      await expect
        .poll(
          async () =>
            (await admin.query("SELECT 1 FROM pg_hba_file_rules WHERE 'clear_reader' = ANY (user_name)")).rowCount,
          { timeout: 20_000 },
        )
        .toBe(1);
      await expect
        .poll(() => failureOf("postgres", clear), { timeout: 20_000 })
        .toMatchObject({ reason: "tls", message: expect.stringContaining("allow_cleartext_password") });
      expect(await test("postgres", { ...clear, allow_cleartext_password: true })).toMatchObject({ tls: false });
      expect(await test("postgres", { ...clear, sslmode: "require" })).toMatchObject({ tls: true });
    } finally {
      await write(rules);
      await admin.query("DROP ROLE clear_reader");
    }
  });

  it("never reaches a MySQL that asks for it without TLS, itself or under a key of the server's own", async () => {
    const { publicKey } = generateKeyPairSync("rsa", {
      modulusLength: 2048,
      publicKeyEncoding: { type: "spki", format: "pem" },
      privateKeyEncoding: { type: "pkcs8", format: "pem" },
    });
    const ask: Record<string, Buffer[]> = {
      mysql_clear_password: [authSwitch("mysql_clear_password")],
      sha256_password: [authSwitch("sha256_password"), Buffer.from(`\x01${publicKey}`)],
      caching_sha2_password: [
        authSwitch("caching_sha2_password"),
        Buffer.from([1, 4]),
        Buffer.from(`\x01${publicKey}`),
      ],
    };
    for (const [plugin, questions] of Object.entries(ask)) {
      const { port, heard } = await serverThatAsks(questions);
      expect(await failureOf("mysql", { port, password: "canary-password" }), plugin).toMatchObject({
        reason: "tls",
        message: expect.stringContaining("allow_cleartext_password"),
      });
      // Its key's length in bytes is what an encrypted password has.
      expect(
        heard().filter((packet) => packet.includes("canary-password") || packet.length === 256),
        plugin,
      ).toEqual([]);
    }
    const { port, heard } = await serverThatAsks(ask.mysql_clear_password!);
    await failureOf("mysql", { port, password: "canary-password", allow_cleartext_password: true });
    expect(heard().some((packet) => packet.includes("canary-password"))).toBe(true);
  });
});

const SCRAMBLE = "abcdefghijklmnopqrst";
const authSwitch = (plugin: string) => Buffer.from(`\xfe${plugin}\0${SCRAMBLE}\0`, "latin1");

/**
 * A MySQL without TLS (the real one asks so only with plugins that are not to be had) that sends a question after each
 * answer, then ends.
 */
async function serverThatAsks(questions: Buffer[]): Promise<{ port: string; heard(): Buffer[] }> {
  const packets: Buffer[] = [];
  const port = await listen((socket) => {
    const packet = (sequence: number, body: Buffer) =>
      socket.write(Buffer.concat([Buffer.from([body.length & 255, body.length >> 8, 0, sequence]), body]));
    const capabilities = 0x0088_a200 | 0x01;
    const greeting = Buffer.alloc(31);
    greeting.writeUInt32LE(1, 0);
    greeting.write(SCRAMBLE.slice(0, 8), 4);
    greeting.writeUInt16LE(capabilities & 0xffff, 13);
    greeting.writeUInt8(33, 15);
    greeting.writeUInt16LE(capabilities >>> 16, 18);
    greeting.writeUInt8(SCRAMBLE.length + 1, 20);
    packet(
      0,
      Buffer.concat([
        Buffer.from("\x0a8.0.36\0", "latin1"),
        greeting,
        Buffer.from(`${SCRAMBLE.slice(8)}\0mysql_native_password\0`),
      ]),
    );
    let next = 0;
    socket.on("data", (data) => {
      packets.push(data.subarray(4));
      const question = questions[next++];
      if (question) packet(data[3]! + 1, question);
      else socket.end();
    });
  });
  return { port, heard: () => packets };
}
