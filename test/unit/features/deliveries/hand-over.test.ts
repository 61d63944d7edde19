// What a run of a delivery reads and writes on its way to its messages, and what it leaves behind where it fails.

import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { MESSAGE_LIMITS } from "../../../../src/features/messages/limits.ts";
import { openResults } from "../../../../src/features/deliveries/send/open-results.ts";
import { sendResults } from "../../../../src/features/deliveries/send/send.ts";
import { whileAlone } from "../../../../src/features/deliveries/send/while-alone.ts";
import { findDelivery } from "../../../../src/features/deliveries/find.ts";
import { sweepLinkedFiles } from "../../../../src/features/linked-files/sweep.ts";
import { mailBytesOf } from "../../../../src/platform/mail/mail.ts";
import { mimeOf } from "../../../../src/platform/mail/mime.ts";
import { arrowOf, newDeliveryWorld, type DeliveryWorld } from "../../../support/unit/deliveries/world.ts";

const ROWS = { status: ["shipped", "open"], orders: [5, 3] };
const WIDE = { status: Array.from({ length: 40_000 }, (_, row) => `${row}-${"x".repeat(100)}`), orders: [1] };
WIDE.orders = WIDE.status.map(() => 1);

let world: DeliveryWorld;
beforeEach(async () => void (world = await newDeliveryWorld()));

/** The objects that messages and links of the team have. */
const objects = async () => {
  const under = async (folder: string) =>
    (await env.BUCKET.list({ prefix: `${world.team.id}/${folder}/` })).objects.map(({ key }) => key);
  return { messages: await under("messages"), links: await under("linked-files") };
};
const links = async () => (await world.ask("GET", "/v4/linked-files")).body.data.items;

/** What the bucket is asked for while the results of a doc of these datasets are sent. */
async function sendDatasets(fields: object, datasets: Record<string, Uint8Array>) {
  const datasetsOf = Object.fromEntries(Object.keys(datasets).map((key) => [key, { engine: "sql", sql: "SELECT 1" }]));
  const doc = await world.ask("POST", "/v4/docs", {
    ...{ version: 1, kind: "dashboard", metadata: { name: "Scores" }, datasets: datasetsOf },
  });
  const source = { kind: "doc", doc_id: doc.body.data.id, dataset_keys: Object.keys(datasets) };
  const id = await world.newDelivery({ source, ...fields });
  const stored = await Promise.all(
    Object.entries(datasets).map(async ([name, bytes]) => {
      const key = `${world.team.id}/test/${name}`;
      await env.BUCKET.put(key, bytes);
      return { name, bytes: bytes.length, at: { key } };
    }),
  );
  const bucket = { ...world.clients.bucket, read: vi.fn(world.clients.bucket.read) };
  const scope = {
    ...{ teamId: world.team.id, teamName: "T", userId: world.team.admin.id, rights: [], now: new Date() },
    requestId: crypto.randomUUID(),
  };
  const ctx = { ...world.clients, bucket, scope } as unknown as Parameters<typeof sendResults>[0];
  const delivery = (await findDelivery({ db: world.clients.db, scope: { teamId: world.team.id } }, id))!;
  const handed = await sendResults(ctx, { delivery, runId: crypto.randomUUID(), read: { stored, docRunId: null } });
  return { id, handed, reads: bucket.read.mock.calls.map(([key]) => key.split("/").at(-1)) };
}

describe("the results of a run", () => {
  const datasets = () => ({ one: arrowOf({ n: [1] }), two: arrowOf({ n: [2] }), three: arrowOf({ n: [0] }) });
  const condition = { kind: "value", dataset: "three", column: "n", operator: ">", value: 0 };

  it("are not read where the condition does not hold, but for the one that it looks at", async () => {
    expect(await sendDatasets({ condition }, datasets())).toMatchObject({ handed: "kept", reads: ["three"] });
    expect(await objects()).toEqual({ messages: [], links: [] });
  });

  it("are read once each, and the one that the condition looks at first", async () => {
    const { handed, reads } = await sendDatasets({ condition: { ...condition, operator: "=" } }, datasets());
    expect([handed, reads]).toEqual(["sent", ["three", "one", "two", "three"]]);
  });

  it("are refused by what they come to before any of them is read", async () => {
    const read = vi.fn();
    const large = { bytes: 9 * 1024 * 1024, at: { key: "k" } };
    const stored = ["a", "b", "c", "d"].map((name) => ({ name, ...large }));
    const results = openResults({ bucket: { ...world.clients.bucket, read } }, stored);
    expect(() => results.requireReadable(["a", "b", "c", "d"])).toThrow("32 MiB in all");
    expect(read).not.toHaveBeenCalled();
  });
});

describe("a condition on a column without numbers", () => {
  it.each([
    ["of texts", ["5"], "text"],
    ["of which the first is empty", [""], "text"],
  ])("fails the run with the column and its type: one %s", async (_, n, kind) => {
    const condition = { kind: "value", column: "n", operator: "=", value: 0 };
    const sending = sendDatasets({ condition }, { one: arrowOf({ n }) });
    await expect(sending).rejects.toThrow(`the column n, which is of type ${kind} and no number`);
    expect(await objects()).toEqual({ messages: [], links: [] });
  });
});

describe("a run whose files are too large for a message", () => {
  it("fails with the bound, and has written nothing", async () => {
    const id = await world.newDelivery({ files: { format: "csv" } });
    const jobId = await world.newJob(id);
    const runId = await world.read(jobId, WIDE);
    await world.step(runId, 20_000);
    const run = await world.runOf(jobId, runId);
    expect([run.state, run.error]).toEqual(["failed", expect.stringContaining(`${MESSAGE_LIMITS.fileBytesMax} bytes`)]);
    expect(await objects()).toEqual({ messages: [], links: [] });
  });
});

describe("a mail that is too large with all that it has", () => {
  const wide = (columns: number, seed: string) =>
    arrowOf(
      Object.fromEntries(
        Array.from({ length: columns }, (_, at) => [`c${at}`, Array.from({ length: 50 }, () => seed.repeat(200))]),
      ),
    );

  it("fails its run with its size, and has written nothing", async () => {
    const datasets = Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((at) => [`d${at}`, wide(20, `${at}`)]));
    const files = { format: "csv" };
    const sending = sendDatasets({ files, message: "x" }, datasets);
    await expect(sending).rejects.toThrow(/A mail may have 5242880 bytes.*this one would have \d{7}\./);
    expect(await objects()).toEqual({ messages: [], links: [] });
  });

  it.each([0, 1, 56, 57, 58, 10_000, 100_003])("is reckoned as no less than it is, with files of %i bytes", (bytes) => {
    const file = { name: "a.csv", mediaType: "text/csv", contentId: null, bytes: new Uint8Array(bytes) };
    const mail = { text: "ü".repeat(bytes), html: "<p>ä</p>".repeat(1_000), files: [file, file] };
    const raw = mimeOf(
      { id: crypto.randomUUID(), at: new Date(), to: "a@b.example", subject: "s", unsubscribeUrl: null, ...mail },
      { name: null, address: "f@b.example" },
    );
    const reckoned = mailBytesOf({ ...mail, fileBytes: [bytes, bytes] });
    expect(raw.length).toBeLessThanOrEqual(reckoned);
    expect(reckoned).toBeLessThan(raw.length + 25_000);
  });
});

describe("a hand-over that does not come to its end", () => {
  const linked = { files: { format: "csv", by: "link", days: 2 } };

  it("leaves no objects and no links where the delivery was changed meanwhile", async () => {
    const id = await world.newDelivery(linked);
    const jobId = await world.newJob(id);
    const runId = await world.read(jobId, ROWS);
    const put = env.BUCKET.put.bind(env.BUCKET);
    const spy = vi.spyOn(world.bindings.BUCKET, "put").mockImplementation((async (key: string, value: string) => {
      if (key.includes("/linked-files/"))
        await env.DB.prepare("update deliveries set revision = revision + 1 where id = ?").bind(id).run();
      return put(key, value);
    }) as typeof env.BUCKET.put);
    await world.step(runId, 20_000);
    spy.mockRestore();
    expect(await world.messagesOf(id)).toEqual([]);
    expect(await links()).toEqual([]);
    await sweepLinkedFiles(world.clients, new Date(Date.now() + 1_000));
    expect(await objects()).toEqual({ messages: [], links: [] });

    await world.step(runId, 60_000);
    expect(await world.messagesOf(id)).toHaveLength(1);
    expect(await links()).toHaveLength(1);
  });

  it("leaves links that end by themselves where its Worker dies, and shows them to nobody", async () => {
    const id = await world.newDelivery(linked);
    const jobId = await world.newJob(id);
    const runId = await world.read(jobId, ROWS);
    const now = new Date();
    const row = async () =>
      env.DB.prepare("select ends_at, bytes from linked_files where team_id = ?").bind(world.team.id).first();
    const put = env.BUCKET.put.bind(env.BUCKET);
    const seen: unknown[] = [];
    const spy = vi.spyOn(world.bindings.BUCKET, "put").mockImplementation((async (key: string, value: string) => {
      if (key.includes("/linked-files/")) seen.push(await row(), await links());
      return put(key, value);
    }) as typeof env.BUCKET.put);
    await world.step(runId, 20_000);
    spy.mockRestore();
    expect(seen).toEqual([{ ends_at: expect.any(String), bytes: 0 }, []]);
    expect(Date.parse((seen[0] as { ends_at: string }).ends_at) - now.getTime()).toBeLessThan(3_700_000);
    const published = (await row()) as { ends_at: string; bytes: number };
    expect(Date.parse(published.ends_at) - now.getTime()).toBeGreaterThan(86_400_000);
    expect(published.bytes).toBeGreaterThan(0);
  });
});

describe("a delivery beside another that is composed in the same isolate", () => {
  it("waits without reading, and is sent at a later look", async () => {
    const id = await world.newDelivery();
    const jobId = await world.newJob(id);
    const runId = await world.read(jobId, ROWS);
    await whileAlone(async () => {
      await world.step(runId, 20_000);
      expect(await world.runOf(jobId, runId)).toMatchObject({ state: "running" });
      expect(await world.messagesOf(id)).toEqual([]);
    });
    await world.step(runId, 60_000);
    expect(await world.messagesOf(id)).toHaveLength(1);
  });
});
