// The sandbox's doors: who is let in, what envelopes are understood, where runs' requests may go, how it stops.

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { Envelopes } from "../../../containers/sandbox/envelope/envelopes.ts";
import { checkEnvironment } from "../../../containers/sandbox/envelope/environment-names.ts";
import { ObjectScanner } from "../../../containers/sandbox/envelope/object-scanner.ts";
import {
  EnvelopeReport,
  type RunReport,
  SANDBOX_VERSION_HEADER,
  SandboxFailure,
  SandboxStatus,
} from "../../../containers/sandbox/contract/protocol.ts";
import { routeOf, routeOfTunnel } from "../../../containers/sandbox/proxy/policy.ts";
import { findPython } from "../../../containers/sandbox/python/interpreter.ts";
import { installRequirements, REQUIREMENT } from "../../../containers/sandbox/python/packages.ts";
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
    expect([response.status, response.headers.get(SANDBOX_VERSION_HEADER)]).toEqual([401, "1"]);
  });

  it("opens the status, which tells how code is held", async () => {
    expect(SandboxStatus.parse(await (await sandbox.call("GET", "/status")).json())).toMatchObject({
      protocol: 1,
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
    expect([response.status, response.headers.get(SANDBOX_VERSION_HEADER)]).toEqual([status, "1"]);
    await failureOf(response);
  });

  it("is told of while its run goes on and when it has ended, and of no other", async () => {
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

  it("may lack data, and then there is no file", async () => {
    const runId = crypto.randomUUID();
    expect(EnvelopeReport.parse(await (await put("{}", runId)).json())).toEqual({
      datasetKeys: null,
      environmentNames: [],
      dataBytes: null,
    });
    const { datasets } = await sandbox.run([aDataset("import os\nresult = os.environ.get('WEBHOOK_DATA_FILE')")], {
      runId,
      hasEnvelope: true,
    });
    expect(datasets[0]).toMatchObject({ success: true, result: { kind: "none" } });
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

  it("is refused with its flaws while most of it is still on its way", async () => {
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

describe("ObjectScanner", () => {
  const scan = (document: string, size: number) => {
    const members: Record<string, string> = {};
    const decoder = new TextDecoder();
    const reader = new ObjectScanner((name) => {
      members[name] = "";
      return (piece) => void (members[name] += decoder.decode(piece, { stream: true }));
    });
    const bytes = Buffer.from(document);
    for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
    reader.end();
    return members;
  };

  it.each([1, 2, 3, 7, 1000])("finds the same members however the document is cut: in pieces of %i", (size) => {
    const values = ['"a\\"b\\\\"', "-0.5e+10", '[1, {"b": []}, null]', '{"x": "}"}', "true", "0", '"ü✓😀"', "{}"];
    const document = ` { ${values.map((value, at) => `"k${at}" : ${value}${" ".repeat(at % 3)}`).join(" ,\n")} } `;
    expect(scan(document, size)).toEqual(Object.fromEntries(values.map((value, at) => [`k${at}`, value])));
  });

  it("takes what JSON.parse takes, and refuses what it refuses", () => {
    const documents = [
      '{"a":1}',
      '{"a":1,}',
      '{"a":[1,]}',
      '{"a":1.}',
      '{"a":.5}',
      '{"a":1e}',
      '{"a":1e5}',
      '{"a":-}',
      '{"a":+1}',
      '{"a":tru}',
      '{"a":nul l}',
      '{"a":"\t"}',
      '{"a":"\\x"}',
      '{"a":"\\u12g4"}',
      '{"a" 1}',
      "{a:1}",
      '{"a":1 "b":2}',
      '{"a":[}',
      '{"a":{]}',
      '{"a":1}}',
      '{"":""}',
      '{"a":00}',
      '{"a":0.0}',
      '{"a":[[],[{}]]}',
      "{,}",
      '{"a":1e+}',
      '{"a":"\\',
      "{",
    ];
    for (const document of documents) {
      const accepts = (work: () => unknown) => {
        try {
          work();
          return true;
        } catch {
          return false;
        }
      };
      expect([document, accepts(() => scan(document, 2))]).toEqual([document, accepts(() => JSON.parse(document))]);
    }
  });
});

describe("names of variables", () => {
  it.each([
    "LD_PRELOAD",
    "PATH",
    "PYTHONPATH",
    "SERVICE_API_KEY",
    "DEFINITE_API_BASE_URL",
    "WEBHOOK_DATA_FILE",
    "HTTPS_PROXY",
    "no_proxy",
    "BASH_ENV",
    "HOME",
    "OPENSSL_CONF",
    "SSL_CERT_FILE",
    "REQUESTS_CA_BUNDLE",
  ])("are not taken: %s", (name) => expect(checkEnvironment({ [name]: "x" })).toHaveLength(1));
  it.each(["a\0b", "\ud800"])("have text for values, and not %j", (value) =>
    expect(checkEnvironment({ REGION: value })).toHaveLength(1),
  );
  it.each(["REGION", "_x", "MY_PATH", "API_KEY"])("are taken: %s", (name) =>
    expect(checkEnvironment({ [name]: "x" })).toEqual([]),
  );
});

describe("the proxy's policy", () => {
  const places = { platformUrl: "http://127.0.0.1:8787", s3Endpoint: `http://127.0.0.1:8787${STORE_PATH}`, s3Dial: "" };
  const way = (url: string, internet = false) =>
    "refused" in routeOf(new URL(url), [], places, { teamId: "team", internet }) ? "refused" : "open";
  it.each([
    ["/v1/query", "open"],
    ["/v4/me?x=1", "open"],
    ["/health", "open"],
    ["/", "open"],
    ["/internal/runs/1/finish", "refused"],
    ["/v1/../internal/runs/1/finish", "refused"],
    ["/v1/%2e%2e/internal/x", "refused"],
    ["/cdn-cgi/mf/scheduled", "refused"],
    ["//internal/x", "refused"],
    [`${STORE_PATH}/fjord/team/drive/a.txt?X-Amz-Signature=1`, "open"],
    [`${STORE_PATH}/fjord/team/drive/a.txt`, "refused"],
    [`${STORE_PATH}/fjord/team/lake/x?X-Amz-Signature=1`, "refused"],
    [`${STORE_PATH}/fjord/other/drive/a.txt?X-Amz-Signature=1`, "refused"],
    [`${STORE_PATH}/fjord/team/drive/../../other/drive/a?X-Amz-Signature=1`, "refused"],
    [`${STORE_PATH}/fjord?list-type=2&X-Amz-Signature=1`, "refused"],
  ])("of the platform's address: %s is %s", (path, expected) =>
    expect(way(`http://127.0.0.1:8787${path}`, true)).toBe(expected),
  );

  it("lets nobody out without the team's setting, and tunnels to no plain service of ours", () => {
    expect([way("http://example.com/"), way("http://example.com/", true), way("http://127.0.0.1:9999/")]).toEqual([
      "refused",
      "open",
      "refused",
    ]);
    const tunnel = (authority: string, internet = true) =>
      Object.keys(routeOfTunnel(authority, places, { teamId: "team", internet }))[0];
    expect([
      tunnel("127.0.0.1:8787"),
      tunnel("example.com:443"),
      tunnel("example.com:443", false),
      tunnel("example.com"),
      tunnel("a b:443"),
    ]).toEqual(["refused", "resolve", "refused", "refused", "refused"]);
  });

  it("tunnels to a platform and a store that speak TLS", () => {
    const deployed = {
      platformUrl: "https://fjord.example.com",
      s3Endpoint: "https://1.r2.cloudflarestorage.com",
      s3Dial: "",
    };
    const policy = { teamId: "team", internet: false };
    expect(routeOfTunnel("fjord.example.com:443", deployed, policy)).toEqual({
      dial: { host: "fjord.example.com", port: 443 },
    });
    expect(routeOfTunnel("1.r2.cloudflarestorage.com:443", deployed, policy)).toHaveProperty("dial");
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

  it("of the public SDK go to this platform without being told", async () => {
    const code =
      "from definite_sdk import DefiniteClient\nclient = DefiniteClient()\nresult = [client.api_url, client.api_key]";
    expect(await ask(code)).toEqual([platform.url, "run-key"]);
  });
});

describe("requirements", () => {
  it.each(["numpy==2.4.6", "scikit-learn>=1.5,<2", "requests[socks]~=2.30", "polars"])("may be %s", (text) =>
    expect(text).toMatch(REQUIREMENT),
  );
  it.each([
    "-r file",
    "--index-url=http://x",
    "git+https://x/y",
    "./local",
    "a @ file:///x",
    "a; os_name",
    "",
    "../x",
    "a==1 --hash=x",
  ])("may not be %j", (text) => expect(text).not.toMatch(REQUIREMENT));

  it("that are none are the dataset's error", async () => {
    expect(await sandbox.python("result = 1", { requirements: ["./setup.py"] })).toMatchObject({
      success: false,
      error: expect.stringContaining('"./setup.py"'),
    });
  });
});

/** A package with a wheel that asks for another one by the address of its sources, which say so when they are run. */
const TRAP = `
import sys, tarfile, zipfile
folder, mark = sys.argv[1:]
open(folder + "/setup.py", "w").write(f"open({mark!r}, 'w').close()")
with tarfile.open(folder + "/inner.tar.gz", "w:gz") as sources:
    sources.add(folder + "/setup.py", "inner-1.0/setup.py")
with zipfile.ZipFile(folder + "/outer-1.0-py3-none-any.whl", "w") as wheel:
    wheel.writestr("outer-1.0.dist-info/METADATA", f"Metadata-Version: 2.1\\nName: outer\\nVersion: 1.0\\nRequires-Dist: inner @ file://{folder}/inner.tar.gz\\n")
    wheel.writestr("outer-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
    wheel.writestr("outer-1.0.dist-info/RECORD", "")
`;

describe("installing", () => {
  it("builds nothing, though a wheel may ask for sources by their address", async () => {
    const folder = mkdtempSync(join(tmpdir(), "fjord-trap-"));
    const python = await findPython(process.env);
    execFileSync(python.command, ["-c", TRAP, folder, join(folder, "built")]);
    vi.stubEnv("PIP_NO_INDEX", "1");
    vi.stubEnv("PIP_FIND_LINKS", folder);
    try {
      await expect(installRequirements(python, join(folder, "packages"), ["outer==1.0"])).rejects.toThrow(
        /could not be installed/,
      );
      expect(existsSync(join(folder, "built"))).toBe(false);
    } finally {
      vi.unstubAllEnvs();
      rmSync(folder, { recursive: true });
    }
  });
});

describe("a sandbox", () => {
  it("takes fifty runs at once, and loses none", async () => {
    const reports: RunReport[] = await Promise.all(
      Array.from({ length: 50 }, (_, at) => sandbox.run([aDataset(`result = ${at}`)], { deadlineMs: 300_000 })),
    );
    expect(reports.map(({ outcome }) => outcome)).toEqual(Array(50).fill("succeeded"));
    expect(reports.map(({ datasets }) => storedJson(datasets[0]!.executionId))).toEqual(reports.map((_, at) => at));
  }, 300_000);

  it("refuses to run code in a weak jail, unless told to", async () => {
    const weak = await startSandbox(platform, { SANDBOX_JAIL: "bare", WEAK_JAIL_ALLOWED: "" });
    try {
      expect(weak.jail.strong).toBe(false);
      expect(weak.jail.lacks).not.toEqual([]);
      await expect(weak.run([aDataset("result = 1")])).rejects.toThrow(/503.*jail_refused/);
    } finally {
      expect(await weak.stop()).toBe(0);
    }
  });

  it("ends its runs and reports them when it is told to stop, and leaves nothing behind", async () => {
    const other = await startSandbox(platform);
    const dataset = aDataset("print('here')\nimport time\ntime.sleep(60)", { timeoutMs: 60_000 });
    const running = other.run([dataset]);
    await expect.poll(() => platform.text(dataset.executionId), { timeout: 30_000 }).toEqual(["here"]);
    expect(await other.stop()).toBe(0);
    expect(await running).toMatchObject({ outcome: "cancelled" });
  });
});
