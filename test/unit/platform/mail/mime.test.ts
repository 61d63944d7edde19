// What a mail is to a parser that shares no code with what made it.

import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import { newId } from "../../../../src/core/ids.ts";
import { headerLine } from "../../../../src/platform/mail/header.ts";
import type { Mail } from "../../../../src/platform/mail/mail.ts";
import { mimeOf } from "../../../../src/platform/mail/mime.ts";

const FROM = { name: "Fjord", address: "fjord@fjord.test" };
const AT = new Date("2026-11-28T12:34:56.000Z");

const mailOf = (mail: Partial<Mail> = {}): Mail => ({
  ...{ id: newId(AT), at: AT, to: "ada@acme.example", subject: "Nightly load", text: "All loaded.\n" },
  ...{ html: null, files: [], unsubscribeUrl: null, ...mail },
});
const rawOf = (mail: Partial<Mail>, from = FROM) => mimeOf(mailOf(mail), from);
const parse = (raw: string) => PostalMime.parse(raw);
/** Whatever stands in a header, a mail has these and no other. */
const HEADERS = ["from", "to", "subject", "date", "message-id", "auto-submitted", "mime-version", "content-type"];
const keysOf = ({ headers }: Awaited<ReturnType<typeof parse>>) => headers.map(({ key }) => key);

const HOSTILE: Record<string, string> = {
  "a line break and another header": "Hi\r\nBcc: mallory@evil.example\r\n\r\n<h1>mine</h1>",
  "a bare line feed": "Hi\nBcc: mallory@evil.example",
  "a bare carriage return": "Hi\rBcc: mallory@evil.example",
  "Unicode's line ends": "Hi\u2028Bcc: mallory@evil.example\u2029\u0085\u000b\u000c",
  "an encoded word with a line break": "=?UTF-8?Q?Hi=0D=0ABcc:_mallory@evil.example?=",
  "text that turns": "invoice\u202egpj.exe",
  "many scripts": "Größe 東京 👩‍👩‍👧 مرحبا",
  "lone surrogates": "a\ud800b\udfffc",
  "control characters": "a\u0000b\u0007c\u001b[31m",
};

describe("a mail's subject", () => {
  it.each(Object.entries(HOSTILE))("is one header whatever it is: %s", async (_, subject) => {
    const raw = rawOf({ subject });
    expect(raw).toMatch(/^[\x20-\x7e\r\n]*$/);
    const mail = await parse(raw);
    expect([...new Set(keysOf(mail))].sort()).toEqual([...HEADERS, "content-transfer-encoding"].sort());
    expect(keysOf(mail)).toHaveLength(HEADERS.length + 1);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that there are none
    expect(mail.subject).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e]/);
    expect(mail.text?.trim()).toBe("All loaded.");
  });

  it("arrives as it is where it is one line", async () => {
    for (const subject of ["Nightly load", "Größe: 東京 👋🏽 (neu)", "=?UTF-8?B?SGk=?=", `${"ä".repeat(249)}x`])
      expect((await parse(rawOf({ subject }))).subject).toBe(subject);
  });

  it("is cut where it is too long, between characters, and never empty", async () => {
    for (const character of ["x", "ö", "東", "👋"]) {
      const { subject } = await parse(rawOf({ subject: character.repeat(10_000) }));
      expect([...subject!]).toHaveLength(250);
      expect(subject).toBe(`${character.repeat(249)}…`);
    }
    expect((await parse(rawOf({ subject: "\r\n" }))).subject).toBe("(no subject)");
  });

  it("keeps every line within what mail servers take", () => {
    const raw = rawOf({
      ...{ subject: "👋".repeat(10_000), text: "x".repeat(100_000), html: `<p>${"y".repeat(50_000)}</p>` },
      unsubscribeUrl: `https://fjord.test/mail/unsubscribe/${"t".repeat(500)}`,
      files: [{ name: "👋".repeat(500), mediaType: "text/csv", contentId: null, bytes: new Uint8Array(1_000) }],
    });
    for (const line of raw.split("\r\n")) expect(line.length).toBeLessThanOrEqual(998);
    expect(raw.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
  });
});

describe("a mail's address", () => {
  it.each([
    "ada@acme.example\r\nBcc: mallory@evil.example",
    "ada@acme.example, mallory@evil.example",
    "ada@acme.example mallory@evil.example",
    "<ada@acme.example>",
    'ada"@acme.example',
    "ada@acme.example;mallory@evil.example",
    "Ada <ada@acme.example>",
    "ada@acme@evil.example",
    "",
  ])("is one address, or there is no mail: %j", (to) => {
    expect(() => rawOf({ to })).toThrow("can't stand in a header");
  });
});

describe("a mail's sender", () => {
  it("keeps a name with commas and letters of any script", async () => {
    for (const name of ["Fjord", "Acme, Inc. <x@y>", 'Größe "GmbH"']) {
      const { from } = await parse(rawOf({}, { ...FROM, name }));
      expect(from).toMatchObject({ name, address: FROM.address });
    }
  });
});

describe("a mail's parts", () => {
  const picture = {
    name: "chart.png",
    mediaType: "image/png",
    contentId: "chart-1@fjord",
    bytes: Uint8Array.of(137, 80),
  };
  const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => (index * 31) % 256);

  it("are the text, the HTML with its pictures, and the files", async () => {
    const text = "Größe\n--alternative\n.\nFrom here\n";
    const html = '<p>Größe</p><img src="cid:chart-1@fjord">';
    const files = [picture, { name: "räte\r\n.csv", mediaType: "text/csv", contentId: null, bytes }];
    const mail = await parse(rawOf({ text, html, files }));
    expect(mail.text?.trimEnd()).toBe(text.trimEnd());
    expect(mail.html?.trimEnd()).toBe(html);
    expect(mail.attachments).toMatchObject([
      {
        filename: "chart.png",
        mimeType: "image/png",
        disposition: "inline",
        related: true,
        contentId: "<chart-1@fjord>",
      },
      { filename: "räte .csv", mimeType: "text/csv", disposition: "attachment" },
    ]);
    expect(new Uint8Array(mail.attachments[1]!.content as ArrayBuffer)).toEqual(bytes);
  });

  it("are as few as there is to say", async () => {
    expect(rawOf({})).not.toContain("multipart");
    const alone = await parse(rawOf({ files: [picture] }));
    expect([alone.html, alone.attachments.length]).toEqual([undefined, 1]);
  });

  it("have no name, type or content id that could begin a header", async () => {
    const odd = {
      name: '"; x="\r\nBcc: a@b.example',
      mediaType: "text/csv\r\nBcc: a@b.example",
      contentId: null,
      bytes,
    };
    const mail = await parse(rawOf({ files: [odd] }));
    expect(mail.attachments[0]).toMatchObject({
      filename: '"; x=" Bcc: a@b.example',
      mimeType: "application/octet-stream",
    });
    expect(mail.bcc).toBeUndefined();
    const named = { ...picture, contentId: "a>\r\nBcc: <a@b.example" };
    expect(() => rawOf({ html: "<p>", files: [named] })).toThrow("can't stand in a header");
  });
});

describe("a mail's links for unsubscribing", () => {
  it("are those that mail programs press themselves (RFC 8058), and absent where there is none", async () => {
    const url = "https://fjord.test/mail/unsubscribe/token";
    const { headers } = await parse(rawOf({ unsubscribeUrl: url }));
    const valueOf = (name: string) => headers.find(({ key }) => key === name)?.value;
    expect(valueOf("list-unsubscribe")).toBe(`<${url}>`);
    expect(valueOf("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
    expect(keysOf(await parse(rawOf({})))).not.toContain("list-unsubscribe");
  });
});

describe("headerLine", () => {
  it("makes no header of what could begin another", () => {
    for (const value of [["a\r\nb"], ["a\nb"], ["ä"], [""], [], ["x".repeat(901)]])
      expect(() => headerLine("Subject", value)).toThrow("can't have");
    for (const name of ["Sub ject", "Subject:", "X\r\nY", ""]) expect(() => headerLine(name, ["a"])).toThrow();
  });
});
