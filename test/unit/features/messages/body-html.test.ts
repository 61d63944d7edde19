// What is left of a team's own HTML.

import { describe, expect, it } from "vitest";
import { isHtml, sanitizeHtml, textOfHtml } from "../../../../src/features/messages/email/body-html.ts";

describe("isHtml", () => {
  it.each(["<p>Hi</p>", "Hi<br>there", "<b>x", "a <a href='x'>b</a>", "</p>"])("takes %j for HTML", (text) =>
    expect(isHtml(text)).toBe(true),
  );
  it.each(["Hi", "a < b and c > d", "1 <2> 3", "<ada@acme.example>", "if x<y then", "<!-- no -->"])(
    "takes %j for text",
    (text) => expect(isHtml(text)).toBe(false),
  );
});

describe("sanitizeHtml", () => {
  it("keeps what mails show", async () => {
    const mail =
      '<html><body style="color:#333"><h1 class="t">Größe &amp; mehr</h1><table width="100%" cellpadding="4"><tr><td colspan="2" ' +
      'align="right">1</td></tr></table><a href="https://acme.example/?a=1&amp;b=2">more</a><img src="cid:chart" alt="Chart" width="10"></body></html>';
    expect(await sanitizeHtml(mail)).toBe(mail);
  });

  const GONE: [string, string][] = [
    ["<p>a</p><script>alert(1)</script><p>b</p>", "<p>a</p><p>b</p>"],
    ["<SCRIPT SRC=//evil.example/x.js></SCRIPT>a", "a"],
    ["<p>a</p><script>alert(1)", "<p>a</p>"],
    ['<p onclick="alert(1)" ONLOAD=x>a</p>', "<p>a</p>"],
    ['<a href="javascript:alert(1)">a</a>', "<a>a</a>"],
    ['<a href=" JavaScript:alert(1)">a</a>', "<a>a</a>"],
    ['<a href="java\nscript:alert(1)">a</a>', "<a>a</a>"],
    ['<a href="&#106;avascript:alert(1)">a</a>', "<a>a</a>"],
    ['<a href="https&#58;//x.example">a</a>', "<a>a</a>"],
    ['<a href="data:text/html,<script>alert(1)</script>">a</a>', "<a>a</a>"],
    ['<img src="data:image/svg+xml,<svg onload=alert(1)>">', "<img>"],
    ['<img src=x onerror="alert(1)">', "<img>"],
    ["<svg><script>alert(1)</script></svg>a", "a"],
    ["<math><mi>x</mi></math>a", "a"],
    ['<iframe src="https://evil.example"></iframe>a', "a"],
    ['<object data="x"></object><embed src="x">a', "a"],
    ['<form action="https://evil.example"><input name="password"><button>Go</button></form>', "Go"],
    ['<base href="https://evil.example/">a', "a"],
    ['<meta http-equiv="refresh" content="0;url=https://evil.example">a', "a"],
    ['<link rel="stylesheet" href="https://evil.example/x.css">a', "a"],
    ["<xmp><script>alert(1)</script></xmp>a", "a"],
    ['<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>a', '<img>">a'],
    ["<textarea><script>alert(1)</script></textarea>a", "a"],
    ["a<plaintext><script>alert(1)</script>", "a"],
    ["a<!-- <script>alert(1)</script> -->b", "ab"],
    ["a<!-- never closed <script>alert(1)", "a"],
    ["<template><script>alert(1)</script></template>a", "a"],
    ["<custom-element onclick=x>a</custom-element>", "a"],
  ];
  it.each(GONE)("makes of %s only %s", async (html, left) => {
    const clean = await sanitizeHtml(html);
    expect(clean.replaceAll("</noscript>", "")).toBe(left);
    expect(clean).not.toMatch(/<script|javascript:|\son\w+\s*=|<iframe|<form|<meta|<base|<link/i);
  });

  it("reads what is long, and refuses what is nested past all reason", async () => {
    expect(await sanitizeHtml(`${"<div>".repeat(500)}a`)).toContain("a");
    expect(await sanitizeHtml(`<p>${"x".repeat(500_000)}</p>`)).toHaveLength(500_007);
    await expect(sanitizeHtml("<div>".repeat(50_000))).rejects.toMatchObject({
      ...{ code: "validation_failed", flaws: [{ pointer: "/body" }] },
    });
  });
});

describe("textOfHtml", () => {
  it("is the words, a line for each block", () => {
    const html =
      "<style>p{}</style><h1>Load</h1>\n<p>All&nbsp;<b>done</b> &amp; &lt;well&gt;<br>bye</p><table><tr><td>1</td><td>2</td></tr></table>";
    expect(textOfHtml(html)).toBe("Load\nAll done & <well>\nbye\n1\t2");
    expect(textOfHtml("&amp;lt;b&amp;gt;")).toBe("&lt;b&gt;");
  });
});
