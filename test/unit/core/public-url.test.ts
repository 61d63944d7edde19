import { describe, expect, it } from "vitest";
import { flawOfPublicUrl, hostWithPort } from "../../../src/core/public-url.ts";

const RULES = {
  isLoopbackAllowed: false,
  charactersMax: 2_048,
  ownHosts: ["https://fjord.example.com", "http://127.0.0.1:8080"].map((url) => hostWithPort(new URL(url))),
};
const LOCAL = { ...RULES, isLoopbackAllowed: true };
const isTaken = (url: string, rules = RULES) => flawOfPublicUrl(url, rules) === undefined;

describe("flawOfPublicUrl", () => {
  it.each([
    "https://alerts.example.com",
    "https://alerts.example.com:8443/a?b=c",
    "https://ALERTS.Example.com./x",
    "https://bücher.example.com/",
    "https://under_score.example.com/",
    "https://1.2.3.4.example.com/",
  ])("takes %s", (url) => expect(flawOfPublicUrl(url, RULES)).toBeUndefined());

  it.each([
    "",
    "alerts.example.com",
    "http://alerts.example.com",
    "ftp://alerts.example.com",
    "file:///etc/passwd",
    "https://",
    "https://alerts.example.com:22/",
    "https://alerts.example.com:80/",
    "https://alerts.example.com:1023/",
    "https://user@alerts.example.com/",
    "https://user:password@alerts.example.com/",
    "https://:password@alerts.example.com/",
    "https://alerts.example.com/#part",
    `https://alerts.example.com/${"x".repeat(2_048)}`,
    "https://fjord.example.com/v4/webhook",
    "https://fjord.example.com./v4/webhook",
    "https://FJORD.example.com:443/v4/webhook",
  ])("refuses %s", (url) => expect(flawOfPublicUrl(url, RULES)).toBeDefined());

  /** However a URL spells them. */
  const INNER = [
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0177.0.0.1",
    "127.0.0.1.",
    "１２７.0.0.1",
    "0.0.0.0",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "100.64.0.1",
    "169.254.169.254",
    "8.8.8.8",
    "[::1]",
    "[::]",
    "[fe80::1]",
    "[fc00::1]",
    "[fd00:ec2::254]",
    "[::ffff:127.0.0.1]",
    "[64:ff9b::a00:1]",
    "[2606:4700::1111]",
    "localhost",
    "LOCALHOST",
    "localhost.",
    "a.localhost",
    "router",
    "printer.local",
    "metadata.google.internal",
    "vault.corp",
    "nas.home.arpa",
    "1.0.0.127.in-addr.arpa",
    "db.lan",
    "a.onion",
    "a..com",
    "-a.com",
    `${"a".repeat(64)}.com`,
  ];
  it.each(INNER)("refuses the host %s", (host) => expect(isTaken(`https://${host}/`)).toBe(false));

  it("takes this machine, by http too, where development allows it, and nothing else of the kind", () => {
    for (const url of ["http://127.0.0.1:9000/x", "http://localhost:9000", "https://127.8.0.1/", "http://[::1]:9000/"])
      expect([url, isTaken(url, LOCAL)]).toEqual([url, true]);
    for (const url of [
      "http://10.0.0.1/",
      "http://169.254.169.254/",
      "http://alerts.example.com/",
      "ftp://127.0.0.1/",
      "http://a@127.0.0.1/",
      "http://127.0.0.1:8080/",
      "http://127.1:8080/",
      "http://localhost:8080/",
      "http://LOCALHOST:8080/",
      "http://[::1]:8080/",
      "http://[0:0:0:0:0:0:0:1]:8080/",
      "http://localhost.:8080/",
    ])
      expect([url, isTaken(url, LOCAL)]).toEqual([url, false]);
  });
});
