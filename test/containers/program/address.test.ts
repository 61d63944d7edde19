// Which addresses the engine dials.

import { describe, expect, it } from "vitest";
import { mayDial, resolveHost } from "../../../containers/program/address.ts";

const never = new AbortController().signal;

describe("mayDial", () => {
  it.each([
    "127.0.0.1",
    "127.9.9.9",
    "0.0.0.0",
    "10.0.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    "198.18.0.1",
    "203.0.113.7",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "fe80::1",
    "fc00::1",
    "fd00:ec2::254",
    "ff02::1",
    "::ffff:8.8.8.8",
    "::ffff:127.0.0.1",
    "::127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b:1::a00:1",
    "2002:7f00:1::",
    "2001:0:4136:e378::1",
    "2001:db8::1",
    "fec0::1",
    "100::1",
    "4000::1",
    "not an address",
    "",
  ])("refuses %s when only public hosts are allowed", (address) => {
    expect(mayDial(address, "")).toBe(false);
  });

  it.each(["8.8.8.8", "1.1.1.1", "172.32.0.1", "2606:4700:4700::1111", "2a00:1450:4001::1"])("dials %s", (address) => {
    expect(mayDial(address, "")).toBe(true);
  });

  it("lets loopback in, and nothing else, when loopback is allowed", () => {
    expect(["127.0.0.1", "::1"].every((address) => mayDial(address, "loopback"))).toBe(true);
    expect(
      ["10.0.0.1", "192.168.0.1", "fd12::1", "169.254.169.254", "0.0.0.0", "::ffff:127.0.0.1"].some((address) =>
        mayDial(address, "loopback"),
      ),
    ).toBe(false);
  });

  it("lets private networks in when they are allowed, and metadata services never", () => {
    expect(
      ["127.0.0.1", "10.0.0.1", "172.20.0.1", "192.168.0.1", "fd12::1"].every((address) => mayDial(address, "private")),
    ).toBe(true);
    expect(
      ["169.254.169.254", "100.100.100.200", "168.63.129.16", "fd00:ec2::254", "fe80::1"].some((address) =>
        mayDial(address, "private"),
      ),
    ).toBe(false);
  });
});

describe("resolveHost", () => {
  it.each(["localhost", "127.0.0.1", "[::1]", "::1", "127.1", "2130706433", "0x7f.0.0.1", "0177.0.0.1"])(
    "refuses %s, however loopback is spelt",
    async (host) => {
      // A resolver that does not know the odd spellings finds nothing, which is as good.
      await expect(resolveHost(host, never, "")).rejects.toMatchObject({
        reason: expect.stringMatching(/^(host_forbidden|dns)$/),
      });
    },
  );

  it("answers with the checked address, and with the name for TLS", async () => {
    expect(await resolveHost("localhost", never, "loopback")).toEqual({
      address: "127.0.0.1",
      servername: "localhost",
    });
    expect(await resolveHost("[::1]", never, "loopback")).toEqual({ address: "::1" });
  });

  it("says that a name is unknown", async () => {
    await expect(resolveHost("nobody.invalid", never, "")).rejects.toMatchObject({ reason: "dns" });
  });

  it.each(["", "a b", "/run/postgresql", "host/path", "user@host", "a\nb", "x".repeat(300)])(
    "takes no %j for a host",
    async (host) => {
      await expect(resolveHost(host, never, "loopback")).rejects.toMatchObject({ reason: "dns" });
    },
  );

  it("gives up when the caller does", async () => {
    const reason = new Error("enough");
    await expect(resolveHost("localhost", AbortSignal.abort(reason), "loopback")).rejects.toBe(reason);
  });
});
