// Mails of deliveries: what stands in them is what the result has, and nothing of it is markup.

import { describe, expect, it } from "vitest";
import { composeMail, type NewMail } from "../../../../../src/features/deliveries/render/mail/compose-mail.ts";
import { kpisOf } from "../../../../../kernel/docs/draw/kpi.ts";
import { showTable } from "../../../../../src/features/deliveries/render/mail/shown-table.ts";
import { markdownHtml } from "../../../../../src/features/deliveries/render/mail/markdown.ts";
import { aResult } from "../../../../support/unit/deliveries/a-result.ts";

const HOSTILE = `<script>alert(1)</script>"'&]]><img src=x onerror=alert(1)>`;

const mailOf = (more: Partial<NewMail>) =>
  composeMail({
    title: "Sales",
    intro: "",
    parts: [],
    links: [],
    footer: "Sent by Fjord.",
    unsubscribeUrl: null,
    ...more,
  });

/** The start tags of a text, as HTML's own parser finds them, each with its attributes. */
async function tagsOf(html: string): Promise<{ name: string; attributes: [string, string][] }[]> {
  const tags: { name: string; attributes: [string, string][] }[] = [];
  const rewriter = new HTMLRewriter().on("*", {
    element: (element) =>
      void tags.push({ name: element.tagName, attributes: [...element.attributes] as [string, string][] }),
  });
  await rewriter.transform(new Response(html)).text();
  return tags;
}

it("makes no markup of any text it is given", async () => {
  const table = aResult({ [HOSTILE]: "text", n: "integer" }, [[HOSTILE, 1]]);
  const { html } = mailOf({
    title: HOSTILE,
    intro: HOSTILE,
    footer: HOSTILE,
    links: [
      { title: HOSTILE, url: `https://example.com/"onclick="x`, expiresAt: HOSTILE },
      { title: "x", url: "javascript:alert(1)", expiresAt: "" },
    ],
    unsubscribeUrl: "javascript:alert(2)",
    parts: [
      { kind: "table", title: HOSTILE, shown: showTable(table, undefined) },
      {
        kind: "table",
        title: HOSTILE,
        shown: showTable(table, {
          type: "pivot",
          rows: [{ field: HOSTILE }],
          columns: [{ field: HOSTILE }],
          values: [{ field: "n", label: HOSTILE }],
        }),
      },
      {
        kind: "kpi",
        title: HOSTILE,
        kpis: kpisOf(
          { type: "kpi", y: [{ field: "n", label: HOSTILE }], compare: { field: "n", label: HOSTILE } },
          table,
        ),
      },
      { kind: "chart", title: HOSTILE, contentId: `a"b`, width: 600, height: 320, notes: [HOSTILE] },
      {
        kind: "markdown",
        title: HOSTILE,
        content: `${HOSTILE}\n# ${HOSTILE}\n- ${HOSTILE}\n\n> ${HOSTILE}\n\n\`${HOSTILE}\`\n\n\`\`\`\n${HOSTILE}\n\`\`\`\n[a](javascript:alert(1)) [${HOSTILE}](https://e.com/"onmouseover="alert(1)) **${HOSTILE}**`,
      },
      { kind: "note", title: HOSTILE, text: HOSTILE },
    ],
  });
  const tags = await tagsOf(html);
  expect(tags.filter(({ name }) => name === "script")).toEqual([]);
  expect(tags.filter(({ name }) => name === "img").map(({ attributes }) => attributes[0])).toEqual([
    ["src", "cid:a&quot;b"],
  ]);
  const attributes = tags.flatMap((tag) => tag.attributes.map(([name]) => name));
  expect(attributes.filter((name) => name.startsWith("on"))).toEqual([]);
  const targets = tags
    .filter(({ name }) => name === "a")
    .map(({ attributes }) => attributes.find(([name]) => name === "href")![1]);
  for (const target of targets) expect(target).toMatch(/^https:/);
});

describe("a table in a mail", () => {
  const table = aResult(
    Object.fromEntries(
      Array.from({ length: 25 }, (_, i) => [`c${i}`, i === 1 ? ("decimal" as const) : ("text" as const)]),
    ),
    Array.from({ length: 1_284 }, (_, row) => Array.from({ length: 25 }, (_, i) => (i === 1 ? `${row}.5` : `r${row}`))),
  );

  it("shows its first rows and columns and counts the rest", () => {
    const { html, text, tables } = mailOf({
      parts: [{ kind: "table", title: "All", shown: showTable(table, undefined) }],
    });
    for (const said of [html, text]) expect(said).toContain("… and 1,234 more rows and 5 more columns");
    expect(html.match(/<tr><td class="data"/g)).toHaveLength(50);
    expect(tables).toEqual([expect.objectContaining({ title: "All", rowCount: 1_284 })]);
    expect(tables[0]!.rows).toHaveLength(50);
    expect(tables[0]!.columns).toHaveLength(20);
  });

  it("has the columns, names, formats and order that its tile says", () => {
    const rows = aResult({ day: "date", amount: "decimal", share: "float", note: "text" }, [
      ["2026-01-02", "1234.5", 0.125, null],
      ["2026-01-01", "-1", 2, "x".repeat(300)],
      [null, null, null, "z"],
    ]);
    const { text, html } = mailOf({
      parts: [
        {
          kind: "table",
          title: "",
          shown: showTable(rows, {
            type: "table",
            columns: [
              { field: "amount", label: "Amount", format: "currency" },
              { field: "share", format: "percent" },
              { field: "day", format: "date" },
              { field: "note" },
            ],
            sort: [{ field: "amount" }],
          }),
        },
      ],
    });
    expect(text).toContain(
      `Amount | share | day | note\n-$1.00 | 200% | 2026-01-01 | ${"x".repeat(199)}…\n$1,234.50 | 12.5% | 2026-01-02 | \n |  |  | z`,
    );
    expect(html).toMatch(/<td class="data" style="[^"]*text-align:right[^"]*">\$1,234.50</);
  });

  it("is a pivot where its tile is one", () => {
    const rows = aResult({ region: "text", year: "integer", amount: "decimal" }, [
      ["N", 2025, "1.5"],
      ["N", 2026, "2"],
      ["S", 2026, "3"],
      ["N", 2026, "4"],
    ]);
    const { text } = mailOf({
      parts: [
        {
          kind: "table",
          title: "",
          shown: showTable(rows, {
            type: "pivot",
            rows: [{ field: "region" }],
            columns: [{ field: "year", format: "text" }],
            values: [{ field: "amount", format: "number" }],
          }),
        },
      ],
    });
    expect(text).toContain("region | 2025 | 2026\nN | 1.5 | 6\nS |  | 3");
  });
});

describe("a number that stands alone", () => {
  const months = aResult({ month: "date", amount: "decimal", goal: "integer" }, [
    ["2025-02-01", "50", 1],
    ["2026-01-01", "100", 1],
    ["2026-02-01", "125", 2],
  ]);

  it.each([
    [undefined, "275", undefined],
    ["previousPeriod", "125", "▲ 25% against 100 (the period before)"],
    ["previousYear", "125", "▲ 150% against 50 (a year before)"],
  ] as const)("is compared with %s", (compare, value, comparison) => {
    const viz = { type: "kpi" as const, y: [{ field: "amount", label: "Amount" }], ...(compare && { compare }) };
    expect(kpisOf(viz, months)).toEqual([{ label: "Amount", value, comparison, note: "" }]);
  });

  it("is compared with another column", () => {
    const viz = {
      type: "kpi" as const,
      y: [{ field: "amount", format: "currency" as const }],
      compare: { field: "goal", label: "Goal" },
    };
    expect(kpisOf(viz, months)).toEqual([
      { label: "amount", value: "$275.00", comparison: "▲ 6,775% against $4.00 (Goal)", note: "" },
    ]);
  });

  it("is a dash where there is none", () => {
    const none = aResult({ amount: "decimal" }, [[null]]);
    expect(kpisOf({ type: "kpi", y: [{ field: "amount" }] }, none)).toEqual([
      { label: "amount", value: "–", comparison: undefined, note: "" },
    ]);
  });
});

describe("markdown", () => {
  it("has headings, lists, emphasis, code and links", () => {
    const html = markdownHtml(
      "## Hi *there*\n\n- one **two**\n- `a*b*`\n\n1. x\n\nSee [this](https://example.com/a?b=1&c=2).\n",
    );
    const plain = html.replaceAll(/ (class|style)="[^"]*"/g, "");
    expect(plain).toBe(
      "<h3>Hi <em>there</em></h3>\n<ul><li>one <strong>two</strong></li><li><code>a*b*</code></li></ul>\n<ol><li>x</li></ol>\n" +
        '<p>See <a href="https://example.com/a?b=1&amp;c=2">this</a>.</p>',
    );
  });

  it("takes no longer than its length allows, whatever it says", () => {
    for (const text of ["*", "[", "`", "[a](", "**a", "_*", "> - "]) {
      const start = performance.now();
      markdownHtml(text.repeat(20_000));
      markdownHtml(`${text}\n`.repeat(20_000));
      expect(performance.now() - start).toBeLessThan(20_000);
    }
  });
});

it("knows dark mail programs, in which a chart and the words in its place stand on a light ground of their own", async () => {
  const part = { kind: "chart", title: "Sales", contentId: "chart-1", width: 600, height: 320, notes: [] } as const;
  const { html } = mailOf({ parts: [part] });
  const tags = await tagsOf(html);
  const attributesOf = (tag: string, name: string) =>
    tags
      .map(({ name: of, attributes }) => [of, Object.fromEntries(attributes)] as const)
      .filter(([of, attributes]) => of === tag && name in attributes)
      .map(([, attributes]) => attributes);
  expect(attributesOf("meta", "name")).toContainEqual({ name: "color-scheme", content: "light dark" });
  const [{ style = "" } = {}] = attributesOf("img", "src");
  expect(style).toMatch(/(^|;)background:#ffffff;color:#1f2937(;|$)/);
  // Nothing turns the ground dark, as it does the mail's.
  expect(html).not.toMatch(/\.picture[^{]*{/);
});
