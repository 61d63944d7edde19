// Connections to SQL Server: whom they go to, how they are encrypted, and what is said where they do not come about.

import { readFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ConnectionReport, DatabaseCredentials } from "../../../../kernel/wire/source.ts";
import { Failure } from "../../../../containers/engine/core/failure.ts";
import { sqlserver } from "../../../../containers/engine/sources/sqlserver/connector.ts";
import { startTcpProxy, type TcpProxy } from "../../../support/node/servers/tcp-proxy.ts";
import { FakeSqlServer } from "../../../support/node/sources/sqlserver/fake-sqlserver.ts";
import { until } from "../../../support/node/sources/sqlserver/until.ts";

const TLS_FILES = new URL("../../../support/node/servers/tls/", import.meta.url);
const cert = readFileSync(new URL("server.crt", TLS_FILES), "utf8");
const key = readFileSync(new URL("server.key", TLS_FILES), "utf8");
const OTHER = `-----BEGIN CERTIFICATE-----\n${"A".repeat(64)}\n-----END CERTIFICATE-----\n`;

type Changes = Partial<DatabaseCredentials>;

/** One with TLS; one without. */
let secure: FakeSqlServer;
let plain: FakeSqlServer;
/** The one with TLS, under an address that its certificate does not name. */
let elsewhere: TcpProxy;
beforeAll(async () => {
  [secure, plain] = await Promise.all([FakeSqlServer.start({ tls: { key, cert } }), FakeSqlServer.start()]);
  elsewhere = await startTcpProxy(secure, { host: "127.0.0.2" });
});
afterAll(async () => {
  elsewhere.close();
  await Promise.all([secure.close(), plain.close()]);
});
beforeEach(() => {
  for (const server of [secure, plain]) {
    server.loginFault = undefined;
    server.logins.length = 0;
  }
});

const test = (server: FakeSqlServer, changes: Changes = {}): Promise<ConnectionReport> =>
  sqlserver.test(server.source(changes), AbortSignal.timeout(30_000));

async function failureOf(server: FakeSqlServer, changes: Changes = {}): Promise<Failure> {
  const error = await test(server, changes).then(
    (report) => report,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Failure);
  expect(JSON.stringify(error)).not.toContain(changes.password ?? server.password);
  // Whatever went wrong, no socket stays.
  await until(() => server.openSockets === 0);
  return error as Failure;
}

describe("a connection", () => {
  it.each([
    ["encrypts where it can", {}],
    ["encrypts where it must", { sslmode: "require" }],
    ["verifies the authority it is given", { sslmode: "verify-ca", sslrootcert: cert }],
    ["verifies the name too", { sslmode: "verify-full", sslrootcert: cert, host: "localhost" }],
    ["verifies an address as a name", { sslmode: "verify-full", sslrootcert: cert }],
  ] as [string, Changes][])("%s", async (_name, changes) => {
    expect(await test(secure, changes)).toEqual({
      product: "SQL Server",
      version: "16.0.4135.4",
      tls: true,
      canWrite: false,
    });
    const { host } = secure.source(changes).credentials;
    expect(secure.logins).toEqual([
      { user: secure.user, password: secure.password, database: "shop", app: "fjord", server: host, readOnly: false },
    ]);
    await until(() => secure.openSockets === 0);
  });

  it("leaves the name out where only the authority is verified", async () => {
    const changes = { host: "127.0.0.2", port: elsewhere.port, sslrootcert: cert } as const;
    expect(await test(secure, { ...changes, sslmode: "verify-ca" })).toMatchObject({ tls: true });
    const failure = await failureOf(secure, { ...changes, sslmode: "verify-full" });
    expect(failure).toMatchObject({ reason: "tls", message: expect.stringContaining("for another name") });
  });

  it.each(["verify-ca", "verify-full"] as const)(
    "sends no login to a server that %s does not trust",
    async (sslmode) => {
      const failure = await failureOf(secure, { sslmode, host: "localhost" });
      expect(failure).toMatchObject({ reason: "tls", message: expect.stringContaining("signed by no authority") });
      expect(secure.logins).toEqual([]);
    },
  );

  it("refuses certificates to trust that can't be read", async () => {
    expect(await failureOf(secure, { sslmode: "verify-full", sslrootcert: OTHER })).toMatchObject({ reason: "tls" });
  });

  it("goes without TLS where there is none only if the password may be read on the way", async () => {
    const cautious = { sslmode: "prefer", allow_cleartext_password: false } as const;
    expect(await failureOf(plain, cautious)).toMatchObject({ reason: "tls" });
    expect(await failureOf(plain, { ...cautious, sslmode: "disable" })).toMatchObject({ reason: "tls" });
    expect(plain.logins).toEqual([]);
    expect(await test(plain, { sslmode: "prefer" })).toMatchObject({ tls: false });
    expect(await failureOf(plain, { sslmode: "require" })).toMatchObject({ reason: "tls" });
    expect(plain.logins).toHaveLength(1);
  });

  it("says where the server takes nothing but TLS", async () => {
    const failure = await failureOf(secure, { sslmode: "disable", allow_cleartext_password: true });
    expect(failure).toMatchObject({ reason: "tls", message: expect.stringContaining("with TLS only") });
    expect(secure.logins).toEqual([]);
  });
});

describe("a login that is refused says why", () => {
  it.each([
    [18456, 14, "authentication", "User name or password are wrong"],
    [18470, 14, "authentication", "disabled"],
    [18488, 14, "authentication", "must be changed"],
    [4060, 11, "database_missing", "no such database"],
    [40615, 14, "refused", "firewall"],
    [50000, 16, "other", "error 50000"],
  ] as const)("error %i", async (number, severity, reason, words) => {
    plain.loginFault = { kind: "refuse", errors: [{ number, message: "No.", severity }] };
    const failure = await failureOf(plain);
    expect(failure).toMatchObject({ code: "connection_failed", reason });
    expect(failure.message).toContain(words);
    expect(failure.message).toContain(`No. (error ${number})`);
  });

  it.each([40613, 40501, 10928, 18401])("error %i, which passes by itself", async (number) => {
    plain.loginFault = { kind: "refuse", errors: [{ number, message: "No.", severity: 17 }] };
    const failure = await failureOf(plain);
    expect(failure).toMatchObject({
      code: "source_unavailable",
      message: expect.stringMatching(new RegExp(`No\\. \\(error ${number}\\).*Try again later`)),
    });
  });

  it("by the server's own list of accounts and databases", async () => {
    expect(await failureOf(plain, { password: "wrong-c4nary" })).toMatchObject({ reason: "authentication" });
    expect(await failureOf(plain, { database: "nowhere" })).toMatchObject({ reason: "database_missing" });
  });
});

describe("a host", () => {
  it.each([
    ["db.example\\INSTANCE", "named instance"],
    ["tcp:db.example", "name alone"],
    ["db.example,1433", "name alone"],
    ["localhost/x", "not a host name"],
  ])("%s is refused in words", async (host, words) => {
    expect((await failureOf(plain, { host })).message).toContain(words);
  });

  it("that a server sends us on to is checked as the first was", async () => {
    for (const host of ["10.0.0.1", "169.254.169.254", "168.63.129.16", "::ffff:127.0.0.1"]) {
      plain.loginFault = { kind: "route", host, port: 1433 };
      expect(await failureOf(plain)).toMatchObject({ reason: "host_forbidden" });
    }
    plain.loginFault = { kind: "route", host: "not a name", port: 1433 };
    expect(await failureOf(plain)).toMatchObject({ reason: "dns" });
  });

  it("that a server sends us on to is followed where it may be", async () => {
    plain.loginFault = { kind: "route", host: "127.0.0.1", port: secure.port };
    // The other server takes nothing without TLS, and says so: it was reached.
    expect((await failureOf(plain)).message).toContain("with TLS only");
    secure.loginFault = { kind: "route", host: "127.0.0.1", port: plain.port };
    expect((await failureOf(secure, { sslmode: "require" })).message).toContain("offers no TLS");
  });

  it("that is sent in a circle is left", async () => {
    plain.loginFault = { kind: "route", host: "127.0.0.1", port: plain.port };
    expect((await failureOf(plain)).message).toContain("without end");
    expect(plain.logins).toHaveLength(3);
  });
});

describe("a server that misbehaves before the login is over", () => {
  it.each([
    ["closes", { kind: "close" }, /closed the connection|does not answer/],
    [
      "answers in another protocol",
      { kind: "garbage", bytes: Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n".repeat(2_000)) },
      /does not answer as SQL Server does/,
    ],
    [
      "announces a packet without a length",
      { kind: "garbage", bytes: Buffer.from([4, 1, 0, 0, 0, 0, 0, 0]) },
      /does not answer as/,
    ],
    ["never ends", { kind: "endless" }, /login has no end/],
    ["answers what nobody asked", { kind: "unasked" }, /answers what was not asked|SQL Server's protocol/],
  ] as const)("%s", async (_name, fault, words) => {
    plain.loginFault = fault;
    const memory = process.memoryUsage().rss;
    expect((await failureOf(plain)).message).toMatch(words);
    expect(process.memoryUsage().rss - memory).toBeLessThan(200 * 1024 * 1024);
  });

  it("stays silent: a deadline ends it", { timeout: 30_000 }, async () => {
    plain.loginFault = { kind: "silent" };
    expect(await failureOf(plain)).toMatchObject({ reason: "timeout" });
  });

  it("stays silent: the caller's own signal ends it at once", async () => {
    plain.loginFault = { kind: "silent" };
    const caller = new AbortController();
    const tested = sqlserver.test(plain.source(), caller.signal);
    await until(() => plain.openSockets === 1);
    caller.abort(new Error("gone"));
    await expect(tested).rejects.toThrow("gone");
    await until(() => plain.openSockets === 0);
  });
});

it("reports that nothing listens", async () => {
  const listener = createServer().listen(0, "127.0.0.1");
  await until(() => listener.listening);
  const port = String((listener.address() as AddressInfo).port);
  listener.close();
  expect(await failureOf(plain, { port })).toMatchObject({ reason: "refused" });
});
