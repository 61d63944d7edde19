import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { openClients } from "../../../../src/clients/clients.ts";
import type { MessageContent, MessageTable } from "../../../../src/features/messages/content.ts";
import { sendToSlack } from "../../../../src/features/slack/send-to-slack.ts";
import { addSlack, contentOf } from "../../../support/unit/messages/channels.ts";
import { call } from "../../../support/unit/http.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

type Block = { type: string; text: { type: string; text: string; verbatim?: boolean } };

let team: TestTeam;
let slack: Awaited<ReturnType<typeof addSlack>>;
beforeAll(async () => {
  team = await newTeam();
  slack = await addSlack(team);
});
const place = () => ({ teamId: team.id, integrationId: slack.integrationId, channelId: "C1" });
const send = (content: Partial<MessageContent>) => sendToSlack(openClients(env), place(), contentOf(content));

/** The blocks of the message, which Slack has taken. */
async function blocksOf(content: Partial<MessageContent>): Promise<Block[]> {
  expect(await send(content)).toMatchObject({ kind: "sent" });
  return (await slack.posts()).at(-1)!["blocks"] as Block[];
}
const table = (more: Partial<MessageTable>): MessageTable => ({
  ...{ title: "Orders", columns: ["id", "note"], rows: [["1", "a"]], rowCount: 1 },
  ...more,
});

describe("sendToSlack", () => {
  it("posts subject, text, tables and links, and answers Slack's name of the message", async () => {
    const sent = await sendToSlack(
      openClients(env),
      { ...place(), threadTs: "1.2" },
      contentOf({
        tables: [
          table({
            rows: [
              ["1", "a"],
              ["20", null],
            ],
            rowCount: 300,
          }),
        ],
        links: [{ title: "orders.csv", url: "https://fjord.example.com/f/abc", expiresAt: "2026-12-01T10:00:00.000Z" }],
      }),
    );
    const post = (await slack.posts()).at(-1)!;
    expect(sent).toEqual({ kind: "sent", reference: expect.stringMatching(/^C1\/\d+\.\d+$/) });
    expect(post).toMatchObject({ channel: "C1", text: "Orders", thread_ts: "1.2" });
    expect((post["blocks"] as Block[]).map(({ text }) => text.text)).toEqual([
      "Orders",
      "Two rows.",
      "*Orders*\n2 of 300 rows",
      "```\nid  note\n──  ────\n1   a\n20  NULL\n```",
      "<https://fjord.example.com/f/abc|orders.csv> (until 2026-12-01 10:00 UTC)",
    ]);
  });

  it("lets no data ping anybody, make a link, or leave the table", async () => {
    const hostile = "<!channel> <@U1> <https://evil.example|ok> & ``` *b*";
    const blocks = await blocksOf({
      subject: hostile,
      text: hostile,
      tables: [table({ title: hostile, columns: [hostile], rows: [["```\n<!here>"]] })],
      links: [
        { title: "x|y> <!here>", url: "https://fjord.example.com/f/a|b>", expiresAt: "2026-12-01T10:00:00.000Z" },
      ],
    });
    const [header, ...sections] = blocks;
    expect(header!.text.type).toBe("plain_text");
    for (const { text } of sections) {
      const withoutOwnLink = text.text.replace(/<https:\/\/fjord\.example\.com[^<>]*>/, "");
      expect(withoutOwnLink).not.toMatch(/[<>]/);
      expect(text.verbatim).toBe(true);
    }
    expect(sections.find(({ text }) => text.text.startsWith("```"))!.text.text.match(/```/g)).toHaveLength(2);
    expect((await slack.posts()).at(-1)!["text"]).not.toMatch(/[<>]/);
  });

  it("keeps within Slack's bounds, whatever the content, and says where there is more", async () => {
    const wide = table({
      columns: Array.from({ length: 60 }, (_, at) => `column ${at} ${"&".repeat(60)}`),
      rows: Array.from({ length: 500 }, () => Array.from({ length: 60 }, () => "<".repeat(100))),
      rowCount: 500,
    });
    const long = table({
      rows: Array.from({ length: 5_000 }, (_, at) => [String(at), "&".repeat(30)]),
      rowCount: 5_000,
    });
    const blocks = await blocksOf({
      subject: "😀".repeat(300),
      text: `${"&".repeat(40_000)}\n${"line\n".repeat(2_000)}`,
      tables: [wide, ...Array.from({ length: 30 }, () => long)],
      links: Array.from({ length: 60 }, (_, at) => ({
        ...{ title: `File ${at}`, url: `https://fjord.example.com/f/${at}`, expiresAt: "2026-12-01T10:00:00.000Z" },
      })),
    });
    expect(blocks).toHaveLength(10 + 20 + 20);
    expect(blocks.at(-1)!.text.text).toContain("There is more");
    expect(blocks.every(({ text }) => !/&(?!amp;|lt;|gt;)/.test(text.text))).toBe(true);
    expect(blocks.some(({ text }) => /^\*Orders\*\n\d+ of 5000 rows$/.test(text.text))).toBe(true);
  });

  it("posts a message without any text", async () => {
    expect((await blocksOf({ subject: "", text: " \n" })).map(({ type }) => type)).toEqual(["header"]);
  });

  it("says what became of a message that was not posted, or may have been", async () => {
    const of = async (fault: Parameters<typeof slack.failNext>[0]) => {
      await slack.failNext(fault);
      return send({});
    };
    expect(await of({ kind: "error", error: "channel_not_found" })).toMatchObject({ kind: "refused" });
    expect(await of({ kind: "error", error: "token_revoked" })).toMatchObject({ kind: "refused" });
    expect(await of({ kind: "error", error: "service_unavailable" })).toMatchObject({ kind: "failed" });
    expect(await of({ kind: "error", error: "fatal_error" })).toMatchObject({ kind: "unknown" });
    expect(await of({ kind: "cut" })).toMatchObject({ kind: "unknown" });
    expect(await of({ kind: "status", status: 429, headers: { "retry-after": "30" } })).toMatchObject({
      ...{ kind: "failed", retryAfterMs: 30_000 },
    });
    expect(await of({ kind: "status", status: 429 })).toMatchObject({ kind: "failed", retryAfterMs: 30_000 });
    expect(await of({ kind: "status", status: 503 })).toMatchObject({ kind: "unknown" });
  });

  it("is refused where the integration is gone, or another team's", async () => {
    const other = await newTeam();
    const refused = await sendToSlack(openClients(env), { ...place(), teamId: other.id }, contentOf());
    expect(refused).toEqual({ kind: "refused", error: expect.stringContaining("not found") });
    const { integrationId } = await addSlack(team);
    await call("DELETE", `/v1/api/integrations/${integrationId}`, { key: team.admin.key });
    expect(await sendToSlack(openClients(env), { ...place(), integrationId }, contentOf())).toMatchObject({
      kind: "refused",
    });
  });
});
