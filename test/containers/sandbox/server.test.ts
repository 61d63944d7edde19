// The sandbox's HTTP: who is let in, what orders and envelopes are taken, where runs' requests get, how it stops.

import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Envelopes } from "../../../containers/sandbox/envelope/envelopes.ts";
import {
  EnvelopeReport,
  PROTOCOL,
  type RunReport,
  SANDBOX_VERSION_HEADER,
  SandboxFailure,
  SandboxStatus,
} from "../../../kernel/wire/sandbox.ts";
import { RunPlatformStandIn, STORE_PATH } from "../../support/node/sandbox/run-platform.ts";
import { aDataset, anOrder, startSandbox, type Sandbox } from "../../support/node/sandbox/sandbox.ts";

let platform: RunPlatformStandIn;
let sandbox: Sandbox;
beforeAll(async () => {
  platform = await new RunPlatformStandIn().start();
  sandbox = await startSandbox(platform);
}, 360_000);
afterAll(async () => {
  await sandbox.stop();
  await platform.stop();
});

const failureOf = async (response: Response) => SandboxFailure.parse(await response.json());
const storedJson = (executionId: string) =>
  JSON.parse(platform.objects.get(`team/results/${executionId}`)!.toString()) as unknown;

describe("the secret", () => {
  it.each([undefined, "", "Bearer ", "Bearer wrong"])("is asked for: %j is not let in", async (authorization) => {
    const response = await fetch(
      `${sandbox.url}/status`,
      authorization === undefined ? {} : { headers: { authorization } },
    );
    expect([response.status, response.headers.get(SANDBOX_VERSION_HEADER)]).toEqual([401, String(PROTOCOL)]);
  });

  it("opens the status, which says how code is held", async () => {
    expect(SandboxStatus.parse(await (await sandbox.call("GET", "/status")).json())).toMatchObject({
      protocol: PROTOCOL,
      jail: { kind: sandbox.jail.kind },
    });
  });
});

describe("an order", () => {
  it.each([
    ["of another run", { runId: "other" }, 422],
    [
      "with a cycle",
      {
        datasets: [
          aDataset("", { key: "a", dependsOn: ["b"] }),
          aDataset("", { key: "b", inputs: [{ ref: "a", as: "a" }] }),
        ],
      },
      422,
    ],
    ["with a reference to nothing", { datasets: [aDataset("", { dependsOn: ["nobody"] })] }, 422],
    ["with two datasets of one key", { datasets: [aDataset(""), aDataset("")] }, 422],
    ["whose envelope was never sent", { hasEnvelope: true }, 404],
  ])("is refused: %s", async (_name, more, status) => {
    const order = anOrder([aDataset("result = 1")]);
    const response = await sandbox.call("POST", `/runs/${order.runId}`, JSON.stringify({ ...order, ...more }));
    expect([response.status, response.headers.get(SANDBOX_VERSION_HEADER)]).toEqual([status, String(PROTOCOL)]);
    await failureOf(response);
  });

  it("is reported while its run goes on and when it has ended, and no other is", async () => {
    const order = anOrder([aDataset("import time\nprint('begun', flush=True)\nwhile True: time.sleep(0.05)")]);
    const ran = sandbox.call("POST", `/runs/${order.runId}`, JSON.stringify(order));
    const get = async (runId: string) => (await sandbox.call("GET", `/runs/${runId}`)).json();
    await expect.poll(() => platform.text(order.datasets[0]!.executionId), { timeout: 30_000 }).toContain("begun");
    expect(await get(order.runId)).toEqual({ report: null });
    expect((await sandbox.call("DELETE", `/runs/${order.runId}`)).status).toBe(204);
    const report = (await (await ran).json()) as object;
    expect(await get(order.runId)).toEqual({ report });
    expect((await sandbox.call("GET", "/runs/nobody")).status).toBe(404);
  });

  describe("that is answered when it is taken", () => {
    const start = async (code: string) => {
      const order = anOrder([aDataset(code)]);
      const post = () => sandbox.call("POST", `/runs/${order.runId}/start`, JSON.stringify(order));
      expect((await post()).status).toBe(202);
      const ended = async () =>
        expect
          .poll(() => platform.finished.find(({ runId }) => runId === order.runId), { timeout: 30_000 })
          .toBeDefined()
          .then(() => platform.finished.find(({ runId }) => runId === order.runId)!);
      return { order, post, ended };
    };

    it("runs once, however often it is sent", async () => {
      const { order, post, ended } = await start("print('once')\nresult = 1");
      expect((await post()).status).toBe(202);
      expect(await ended()).toMatchObject({ outcome: "succeeded" });
      expect((await post()).status).toBe(202);
      expect(platform.text(order.datasets[0]!.executionId)).toEqual(["once"]);
      const beats = platform.asked.filter((asked) => asked.includes(order.runId)).map((path) => path.split("/").at(-1));
      expect(beats[0]).toBe("heartbeat");
    });

    it("does nothing that the platform does not want any more", async () => {
      platform.cancels = true;
      try {
        const { order, ended } = await start("print('ran')");
        expect(await ended()).toMatchObject({ outcome: "cancelled", datasets: [{ success: false, skipped: true }] });
        expect(platform.text(order.datasets[0]!.executionId)).toEqual([]);
      } finally {
        platform.cancels = false;
      }
    });

    it("is refused as any other", async () => {
      const order = anOrder([aDataset("")], { runId: "other" });
      const response = await sandbox.call("POST", "/runs/another/start", JSON.stringify(order));
      expect([response.status, (await failureOf(response)).code]).toEqual([422, "bad_request"]);
    });
  });

  it("to cancel what is not there is a 404", async () =>
    expect((await sandbox.call("DELETE", "/runs/nobody")).status).toBe(404));
});

describe("an envelope", () => {
  const put = (body: string | Buffer | ReadableStream<Uint8Array>, runId: string = crypto.randomUUID()) =>
    sandbox.call("PUT", `/runs/${runId}/envelope`, body);

  it("gives the run its exact bytes, its variables and its own, which can't be set over", async () => {
    const runId = crypto.randomUUID();
    const data = '{ "id": 9007199254740993,\n "id" : 1.10, "ü": "\\ud83d\\ude00" }';
    const answer = await put(
      `{"environmentVariables": {"REGION": "north ✓"},\n "data": ${data} , "datasetKeys": ["main"]}`,
      runId,
    );
    expect(EnvelopeReport.parse(await answer.json())).toEqual({
      datasetKeys: ["main"],
      environmentNames: ["REGION"],
      dataBytes: Buffer.byteLength(data),
    });
    const code = `
import os
path = os.environ["WEBHOOK_DATA_FILE"]
names = ("REGION", "SERVICE_API_KEY", "SERVICE_API_BASE_URL", "DEFINITE_API_KEY", "DEFINITE_API_BASE_URL")
result = [open(path, "rb").read().decode(), oct(os.stat(path).st_mode & 0o777), *[os.environ[name] for name in names]]`;
    const { datasets } = await sandbox.run([aDataset(code)], { runId, hasEnvelope: true });
    expect(datasets[0]!.error).toBeNull();
    expect(storedJson(datasets[0]!.executionId)).toEqual([
      data,
      "0o400",
      "north ✓",
      "run-key",
      platform.url,
      "run-key",
      platform.url,
    ]);
  });

  it("may lack data, and then the file says null, as it does where there is no envelope", async () => {
    const runId = crypto.randomUUID();
    expect(EnvelopeReport.parse(await (await put("{}", runId)).json())).toEqual({
      datasetKeys: null,
      environmentNames: [],
      dataBytes: null,
    });
    const code = "import os\nresult = [open(os.environ['WEBHOOK_DATA_FILE']).read()]";
    for (const run of [{ runId, hasEnvelope: true }, {}]) {
      const { datasets } = await sandbox.run([aDataset(code)], run);
      expect(datasets[0]!.error).toBeNull();
      expect(storedJson(datasets[0]!.executionId)).toEqual(["null"]);
    }
  });

  it("of 60 MB streams through, byte for byte", async () => {
    const runId = crypto.randomUUID();
    const row = '{"id": 9007199254740993, "text": "abcdefghijklmnopqrstuvwxyz é"},';
    const rows = Math.ceil((60 * 1024 * 1024) / Buffer.byteLength(row));
    const head = Buffer.from('{"data": [');
    const body = Buffer.concat([head, Buffer.from(row.repeat(rows)), Buffer.from("0]}")]);
    expect(EnvelopeReport.parse(await (await put(body, runId)).json()).dataBytes).toBe(body.length - head.length);
    const { datasets } = await sandbox.run(
      [aDataset("import os\nresult = os.path.getsize(os.environ['WEBHOOK_DATA_FILE'])")],
      { runId, hasEnvelope: true },
    );
    expect(storedJson(datasets[0]!.executionId)).toBe(body.length - head.length);
  });

  it.each([
    ["nothing", "", [""]],
    ["a list", "[]", [""]],
    ["cut off", '{"data": {"a": 1}', [""]],
    ["two documents", "{}{}", [""]],
    ["text that is not UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), [""]],
    ["a number that is none", '{"data": 01}', [""]],
    ["an unknown member", '{"dat": 1}', ["/dat"]],
    ["data twice", '{"data": 1, "d\\u0061ta": 2}', ["/data"]],
    ["keys that are none", '{"datasetKeys": ["a", 1, "a"]}', ["/datasetKeys/1", "/datasetKeys/2"]],
    [
      "variables that are none",
      '{"environmentVariables": {"A": 1, "LD_PRELOAD": "x", "1A": "x"}}',
      ["/environmentVariables/1A", "/environmentVariables/A", "/environmentVariables/LD_PRELOAD"],
    ],
  ])("is refused with flaws: %s", async (_name, body, pointers) => {
    const response = await put(body);
    expect(response.status).toBe(422);
    const { code, flaws = [] } = await failureOf(response);
    expect(code).toBe("envelope_refused");
    expect(flaws.map(({ pointer }) => pointer).sort()).toEqual([...pointers].sort());
  });

  it("of nothing but flaws is given up at the fiftieth: the rest of it is neither read nor kept", async () => {
    let taken = 0;
    async function* endless() {
      yield Buffer.from('{"data":1');
      for (;;) yield Buffer.from(`,"${taken++}":1`.repeat(10));
    }
    await expect(new Envelopes(tmpdir()).put("flawed", endless())).rejects.toMatchObject({
      code: "envelope_refused",
      flaws: { length: 50 },
    });
    expect(taken).toBeLessThan(50);
  });

  it("is refused with its flaws while most of it has not arrived", async () => {
    const body = Buffer.concat([Buffer.from('{"data": NaN, "rest": "'), Buffer.alloc(40 * 1024 * 1024, "x")]);
    const answers = await Promise.all([put(body), put(body), put(body)]);
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422]);
    expect((await failureOf(answers[0]!)).message).toBe("The body is not JSON: this byte can't stand here (byte 9).");
  });

  it("may say null where it has nothing to say", async () => {
    const answer = await put('{"environmentVariables": null, "datasetKeys": null, "data": null}');
    expect(EnvelopeReport.parse(await answer.json())).toEqual({
      datasetKeys: null,
      environmentNames: [],
      dataBytes: 4,
    });
  });

  it("past the bound is a 413, and nested too deep a 422", async () => {
    expect((await put(Buffer.alloc(101 * 1024 * 1024, 32))).status).toBe(413);
    expect((await put(`{"data": ${"[".repeat(600)}`)).status).toBe(422);
  });
});

describe("a run's requests", () => {
  const ask = async (code: string, internet = false) => {
    const report = await sandbox.python(code, {}, { internet });
    expect(report.error).toBeNull();
    return storedJson(report.executionId);
  };

  it("reach the platform's API with plain requests and urllib, and nothing else of its address", async () => {
    const code = `
import os, requests, urllib.request
base = os.environ["SERVICE_API_BASE_URL"]
result = [requests.get(base + path, headers={"Authorization": "Bearer " + os.environ["SERVICE_API_KEY"]}).status_code for path in ("/v4/me", "/internal/runs/x/finish", "/cdn-cgi/handler/scheduled")]
result.append(urllib.request.urlopen(base + "/v4/me").status)`;
    expect(await ask(code)).toEqual([200, 403, 403, 200]);
    expect(platform.asked.filter((asked) => asked.includes("cdn-cgi/handler") || asked.includes("runs/x"))).toEqual([]);
  });

  it("store drive files by signed URLs, of the own team alone", async () => {
    const put = (team: string) =>
      `requests.put("${platform.url}${STORE_PATH}/bucket/${team}/drive/up.txt?X-Amz-Signature=0", data=b"up").status_code`;
    expect(await ask(`import requests\nresult = [${put("team")}, ${put("other")}]`)).toEqual([200, 403]);
    expect(platform.objects.get("team/drive/up.txt")?.toString()).toBe("up");
    expect(platform.objects.has("other/drive/up.txt")).toBe(false);
  });

  it("carry no header to the store that the URL does not sign", async () => {
    const url = `${platform.url}${STORE_PATH}/bucket/team/drive/copy.txt?X-Amz-SignedHeaders=host%3Bx-amz-meta-note&X-Amz-Signature=0`;
    const put = (headers: Record<string, string>) =>
      `requests.put(${JSON.stringify(url)}, data=b"copy", headers=${JSON.stringify(headers)})`;
    const theft = put({ "X-Amz-Copy-Source": "/bucket/other/drive/secret.txt" });
    expect(await ask(`import requests\nanswer = ${theft}\nresult = [answer.status_code, answer.text]`)).toEqual([
      403,
      expect.stringContaining("x-amz-copy-source"),
    ]);
    expect(platform.objects.has("team/drive/copy.txt")).toBe(false);
    const honest = put({ "x-amz-meta-note": "signed", "content-type": "text/csv", range: "bytes=0-1" });
    expect(await ask(`import requests\nresult = ${honest}.status_code`)).toBe(200);
  });

  it("stay off this machine's ports even where the internet is open", async () => {
    const other = createServer((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n"));
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo;
    const code = `
import requests
def status(url):
    try: return requests.get(url, timeout=5).status_code
    except requests.exceptions.ProxyError: return "proxy"
result = [status(url) for url in ("http://127.0.0.1:${port}/", "http://localhost:${port}/", "http://169.254.169.254/latest/meta-data/", "http://[::1]:${port}/", "https://127.0.0.1:${port}/")]`;
    expect(await ask(code, true)).toEqual([403, 403, 403, 403, "proxy"]);
    other.close();
  });

  it("carry no second request inside their body", async () => {
    const code = `
import base64, os, socket
from urllib.parse import urlsplit
way = urlsplit(os.environ["HTTP_PROXY"])
credentials = base64.b64encode(f"{way.username}:{way.password}".encode()).decode()
hidden = b"POST /cdn-cgi/smuggled HTTP/1.1\\r\\nHost: ${new URL(platform.url).host}\\r\\nContent-Length: 0\\r\\n\\r\\n"
result = []
for method in ("GET", "DELETE", "POST"):
    with socket.create_connection((way.hostname, way.port), timeout=5) as connection:
        connection.sendall(f"{method} ${platform.url}/v1/x HTTP/1.1\\r\\nHost: x\\r\\nProxy-Authorization: Basic {credentials}\\r\\nTransfer-Encoding: chunked\\r\\nConnection: close\\r\\n\\r\\n".encode())
        connection.sendall(f"{len(hidden):x}\\r\\n".encode() + hidden + b"\\r\\n0\\r\\n\\r\\n")
        result.append(connection.recv(12).decode())`;
    expect(await ask(code)).toEqual(Array(3).fill("HTTP/1.1 200"));
    expect(platform.asked.filter((one) => one.includes("smuggled"))).toEqual([]);
  });

  it("of the public SDK go to this platform without being configured", async () => {
    const code =
      "from definite_sdk import DefiniteClient\nclient = DefiniteClient()\nresult = [client.api_url, client.api_key]";
    expect(await ask(code)).toEqual([platform.url, "run-key"]);
  });
});

describe("requirements", () => {
  it("that are none are the dataset's error", async () => {
    expect(await sandbox.python("result = 1", { requirements: ["./setup.py"] })).toMatchObject({
      success: false,
      error: expect.stringContaining('"./setup.py"'),
    });
  });
});

describe("a sandbox", () => {
  it("takes more runs than it has worker processes, and loses none", async () => {
    const reports: RunReport[] = await Promise.all(
      Array.from({ length: 50 }, (_, at) => sandbox.run([aDataset(`result = ${at}`)], { deadlineMs: 300_000 })),
    );
    expect(reports.map(({ outcome }) => outcome)).toEqual(Array(50).fill("succeeded"));
    expect(reports.map(({ datasets }) => storedJson(datasets[0]!.executionId))).toEqual(reports.map((_, at) => at));
  }, 300_000);

  it("refuses to run code in a weak jail, unless the settings allow it", async () => {
    const weak = await startSandbox(platform, { SANDBOX_JAIL: "bare", WEAK_JAIL_ALLOWED: "" });
    try {
      expect(weak.jail.strong).toBe(false);
      expect(weak.jail.lacks).not.toEqual([]);
      await expect(weak.run([aDataset("result = 1")])).rejects.toThrow(/503.*jail_refused/);
    } finally {
      expect(await weak.stop()).toBe(0);
    }
  });

  it("ends its runs and reports them on SIGTERM, and leaves nothing behind", async () => {
    const other = await startSandbox(platform);
    const dataset = aDataset("print('here')\nimport time\ntime.sleep(60)", { timeoutMs: 60_000 });
    const running = other.run([dataset]);
    await expect.poll(() => platform.text(dataset.executionId), { timeout: 30_000 }).toEqual(["here"]);
    expect(await other.stop()).toBe(0);
    expect(await running).toMatchObject({ outcome: "cancelled" });
  });
});
