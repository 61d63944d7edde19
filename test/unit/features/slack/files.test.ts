// Pictures and files on their way to Slack: nothing is posted before Slack has them, and nothing twice after that.

import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { openClients } from "../../../../src/clients/clients.ts";
import type { MessageFile } from "../../../../src/features/messages/content.ts";
import { MESSAGE_LIMITS } from "../../../../src/features/messages/limits.ts";
import { slackPostOf } from "../../../../src/features/slack/blocks.ts";
import { SLACK_LIMITS } from "../../../../src/features/slack/limits.ts";
import { sendToSlack } from "../../../../src/features/slack/send-to-slack.ts";
import { openSlackUploads } from "../../../../src/platform/slack/upload.ts";
import { TRANSPORTS } from "../../../../src/transports.ts";
import { addSlack, contentOf } from "../../../support/unit/messages/channels.ts";
import { call } from "../../../support/unit/http.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";
import { newMessageWorld } from "../messages/message-world.ts";

type Slack = Awaited<ReturnType<typeof addSlack>>;

const CHANNEL = "C0920MVPWFN";
const PNG = "\x89PNG\r\n\x1a\n\0\xff";

let team: TestTeam;
beforeAll(async () => void (team = await newTeam()));
afterEach(() => void vi.restoreAllMocks());

async function newFile(name: string, bytes = new TextEncoder().encode(name), teamId = team.id): Promise<MessageFile> {
  const key = `${teamId}/messages/${crypto.randomUUID()}`;
  await env.BUCKET.put(key, bytes);
  return { name, mediaType: "text/csv", key, bytes: bytes.length, contentId: null };
}
const latin1 = (text: string) => Uint8Array.from(text, (each) => each.charCodeAt(0));
const send = (slack: Slack, files: MessageFile[], threadTs?: string) =>
  sendToSlack(
    openClients(env),
    { teamId: team.id, integrationId: slack.integrationId, channelId: CHANNEL, threadTs },
    contentOf({ files }),
  );
/** The last parts of the paths that were asked for, after the integration was made. */
const steps = async (slack: Slack) =>
  (await slack.received())
    .slice(1)
    .map(({ path }) => (path.startsWith("/upload/") ? "upload" : path.split("/").at(-1)));
const [ASK, UPLOAD, POST, SHARE] = [
  ...["files.getUploadURLExternal", "upload", "chat.postMessage", "files.completeUploadExternal"],
] as [string, string, string, string];
const shared = async (slack: Slack) =>
  (await slack.received()).filter(({ path }) => path.endsWith(SHARE)).map(({ body }) => JSON.parse(body));
const lastLine = async (slack: Slack) =>
  ((await slack.posts()).at(-1)!["blocks"] as { text: { text: string } }[]).at(-1)!.text.text;

const fullTables = () => Array.from({ length: 20 }, () => ({ title: "T", columns: ["a"], rows: [["1"]], rowCount: 1 }));

const fullLinks = () =>
  Array.from({ length: 30 }, () => ({
    title: "a",
    url: "https://fjord.example.com/f/a",
    expiresAt: "2026-12-01T10:00",
  }));

describe("the pictures and files of a message to Slack", () => {
  it("are brought to Slack whole, and shared in the channel once the message is posted", async () => {
    const slack = await addSlack(team);
    const files = [await newFile("chart-1.png", latin1(PNG)), await newFile("Größe & mehr.csv")];
    const sent = await send(slack, files, "1234567890.123456");
    expect(sent).toEqual({ kind: "sent", reference: expect.stringMatching(/^C0920MVPWFN\//) });
    expect(await steps(slack)).toEqual([ASK, UPLOAD, ASK, UPLOAD, POST, SHARE]);
    const uploads = (await slack.received()).filter(({ path }) => path.startsWith("/upload/"));
    expect(uploads.map(({ body }) => atob(body))).toEqual([
      PNG,
      String.fromCharCode(...new TextEncoder().encode(files[1]!.name)),
    ]);
    for (const { headers } of uploads) expect(JSON.stringify(headers)).not.toContain(slack.id);
    expect(await shared(slack)).toEqual([
      {
        files: [
          { id: "F0000000000", title: "chart-1.png" },
          { id: "F0000000001", title: "Größe & mehr.csv" },
        ],
        ...{ channel_id: CHANNEL, thread_ts: "1234567890.123456" },
      },
    ]);
  });

  it("stay behind without the scope, which the message says, and the log of messages", async () => {
    const world = await newMessageWorld();
    const slack = await addSlack(world.team);
    await slack.set({ scopes: ["chat:write"] });
    world.transports = TRANSPORTS;
    const files = [await newFile("a.csv", undefined, world.teamId), await newFile("b.csv", undefined, world.teamId)];
    const target = `${slack.integrationId}/${CHANNEL}`;
    const message = await world.add({ channel: "slack", target }, { files });
    await world.send(message);
    const note =
      "2 of 2 pictures and files stayed behind. Pictures and files need the scope files:write of the Slack app.";
    expect(await lastLine(slack)).toBe(note);
    expect(await steps(slack)).toEqual([ASK, POST]);
    const { body } = await call("GET", `/v4/messages/${message.id}`, { key: world.team.admin.key });
    expect(body.data).toMatchObject({ state: "sent", error: null, note });
  });

  it("keep the message from being posted while Slack may take them later, and go with its next attempt", async () => {
    const slack = await addSlack(team);
    const files = [await newFile("a.csv")];
    const wait = { "retry-after": "30" };
    for (const [faults, sent] of [
      [[{ kind: "status", status: 429, headers: wait }], { kind: "failed", retryAfterMs: 30_000 }],
      [[{ kind: "cut" }], { kind: "failed" }],
      [[{ kind: "error", error: "internal_error" }], { kind: "failed" }],
      [[{ kind: "pass" }, { kind: "status", status: 503 }], { kind: "failed" }],
      [[{ kind: "pass" }, { kind: "status", status: 429 }], { kind: "failed" }],
    ] as const) {
      await slack.failNext(...faults);
      expect(await send(slack, files)).toMatchObject(sent);
    }
    expect(await slack.posts()).toEqual([]);
    expect(await send(slack, files)).toEqual({ kind: "sent", reference: expect.any(String) });
    expect(await slack.posts()).toHaveLength(1);
  });

  it("go without those that Slack will not take", async () => {
    const slack = await addSlack(team);
    const files = [await newFile("a.csv"), await newFile("b.csv"), await newFile("c.csv")];
    await slack.failNext(...[{ kind: "error", error: "file_type_not_allowed" } as const, { kind: "pass" } as const], {
      kind: "status",
      status: 307,
      headers: { location: "/hook/elsewhere" },
    });
    const note = "2 of 3 pictures and files stayed behind. Slack answered an upload with status 307.";
    expect(await send(slack, files)).toMatchObject({ kind: "sent", note });
    expect(await lastLine(slack)).toBe(note);
    expect((await shared(slack)).map((each) => each.files.map(({ title }: { title: string }) => title))).toEqual([
      ["c.csv"],
    ]);
  });

  it("are told of, and the message not posted again, where nobody knows whether they were shared", async () => {
    const slack = await addSlack(team);
    const passing = [1, 2, 3].map(() => ({ kind: "pass" }) as const);
    for (const fault of [{ kind: "cut" }, { kind: "error", error: "file_not_found" }] as const) {
      await slack.failNext(...passing, fault);
      const sent = await send(slack, [await newFile("a.csv")]);
      expect(sent).toMatchObject({ kind: "sent", note: expect.stringContaining("may not have been") });
    }
    expect(await slack.posts()).toHaveLength(2);
  });

  it("are so many at most, a few at a time, and the message says how many stayed behind", async () => {
    const slack = await addSlack(team);
    const { filesMax, filesPerShareMax } = SLACK_LIMITS;
    const files = await Promise.all(Array.from({ length: filesMax + 3 }, (_, at) => newFile(`${at}.csv`)));
    const note = `3 of ${filesMax + 3} pictures and files stayed behind. A message to Slack has ${filesMax} of them.`;
    expect(await send(slack, files)).toMatchObject({ kind: "sent", note });
    expect((await shared(slack)).map((each) => each.files.length)).toEqual([filesPerShareMax, filesPerShareMax]);
  });

  it("leave room for the line that says what stayed behind, in a message that is full", () => {
    const { blocks } = slackPostOf(
      contentOf({ text: "x".repeat(40_000), links: fullLinks(), tables: fullTables() }),
      "<note>",
    );
    expect([blocks.length <= SLACK_LIMITS.blocksMax, blocks.at(-1)]).toMatchObject([
      true,
      { text: { text: "&lt;note&gt;" } },
    ]);
  });

  it("are the team's own, as they were written, within the bound of a message, or nothing is sent", async () => {
    const slack = await addSlack(team);
    const file = await newFile("a.csv");
    const theirs = await newFile("a.csv", undefined, (await newTeam()).id);
    for (const bad of [
      theirs,
      { ...file, key: `${file.key}-gone` },
      { ...file, bytes: file.bytes + 1 },
      { ...file, bytes: MESSAGE_LIMITS.fileBytesMax + 1 },
    ])
      expect(await send(slack, [bad])).toMatchObject({ kind: "refused" });
    expect(await steps(slack)).toEqual([]);
  });

  it.each(["https://evil.example/upload", "http://169.254.169.254/latest", "no address", ""])(
    "never go to %j, which Slack does not have",
    async (uploadUrl) => {
      const slack = await addSlack(team);
      await slack.set({ uploadUrl });
      const sent = await send(slack, [await newFile("a.csv")]);
      expect(sent).toMatchObject({ kind: "sent", note: expect.stringContaining("an address that is none of Slack's") });
      expect(await steps(slack)).toEqual([ASK, POST]);
    },
  );
});

describe("the address of an upload", () => {
  const upload = async (url: string) => {
    const fetched = vi.spyOn(globalThis, "fetch").mockResolvedValue(new Response("OK - 1"));
    const { SLACK_API_URL: _, ...deployed } = env;
    const ask = openSlackUploads({ ...deployed, SLACK_API_URL: "" } as typeof env);
    const { kind } = await ask({ url, bytes: new Uint8Array(1), deadlineMs: 1_000 });
    return [kind, fetched.mock.calls.length];
  };

  it("is Slack's, by https", async () => {
    expect(await upload("https://files.slack.com/upload/v1/abc")).toEqual(["ok", 1]);
  });

  it.each([
    ...[
      "http://files.slack.com/upload",
      "https://slack.com.evil.example/",
      "https://evilslack.com/",
      "https://127.0.0.1/",
    ],
    ...[
      "https://files.slack.com:8443/",
      "https://a@files.slack.com/",
      "https://files.slack.com@evil.example/",
      "file:///x",
    ],
    ...["http://127.0.0.1:1/upload", "https://files.slack.com.:443/", "//files.slack.com/upload"],
  ])("is not %s", async (url) => {
    expect(await upload(url)).toEqual(["refused", 0]);
  });
});
