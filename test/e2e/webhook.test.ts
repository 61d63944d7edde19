import { expect, it } from "vitest";
import { call, send } from "./client.ts";

const CODE = `
import json, os, urllib.request
with open(os.environ["WEBHOOK_DATA_FILE"]) as file:
    data = json.load(file)
request = urllib.request.Request(os.environ["SERVICE_API_BASE_URL"] + "/v4/me", headers={"Authorization": "Bearer " + os.environ["SERVICE_API_KEY"]})
me = json.load(urllib.request.urlopen(request))
print("id", data["id"], os.environ["GREETING"])
result = {"id": data["id"], "rights": me["data"]["rights"], "rows": len(raw_df)}
`;

const DEFINITION = {
  version: 1,
  kind: "pipeline",
  metadata: { name: "Hook" },
  datasets: {
    raw: {
      engine: "sql",
      sql: "select unnest([$numbers]) as n where $word = 'it''s $word'",
      parameters: { numbers: [1, 2], word: "it's $word" },
    },
    hook: { engine: "python", code: CODE, timeoutMs: 30_000, inputs: [{ ref: "raw", as: "raw_df" }] },
    broken: { engine: "python", code: "print('before')\nraise ValueError('on purpose')" },
  },
};

type Data<Payload> = { data: Payload };
type Results = Record<string, { success: boolean; executionId: string; error: string | null }>;

const newDoc = async (): Promise<string> =>
  (await call<Data<{ id: string }>>("POST", "/v4/docs", { body: DEFINITION })).body.data.id;

it("runs a doc's Python with the payload's exact digits, its SQL input, and a key of its own", async () => {
  const doc = await newDoc();
  const body = '{"data": {"id": 9007199254740993}, "environmentVariables": {"GREETING": "hello"}}';
  const answer = await call<Data<{ docId: string; results: Results }>>("POST", `/v4/webhook/docs/${doc}/execute`, {
    body,
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const { results } = answer.body.data;
  expect(results).toMatchObject({
    hook: { success: true, error: null },
    broken: { success: false, error: expect.stringContaining("on purpose") as string },
  });

  const { body: logs } = await call<Data<{ items: { stream: string; message: string }[] }>>(
    "GET",
    `/v4/executions/${results["hook"]!.executionId}/logs`,
  );
  expect(logs.data.items).toContainEqual(
    expect.objectContaining({ stream: "stdout", message: "id 9007199254740993 hello" }),
  );

  const { body: execution } = await call<Data<{ result: { kind: string; download_url: string } }>>(
    "GET",
    `/v4/executions/${results["hook"]!.executionId}`,
  );
  expect(execution.data.result.kind).toBe("json");
  const text = await (await fetch(execution.data.result.download_url)).text();
  expect(text).toContain("9007199254740993");
  const { rights, rows } = JSON.parse(text) as { rights: string[]; rows: number };
  expect(rows).toBe(2);
  expect(rights).toContain("query");
  expect(rights).not.toContain("team:manage");
}, 120_000);

it("takes fifty megabytes, and answers where an asynchronous run is", async () => {
  const doc = await newDoc();
  const body = JSON.stringify({
    data: { id: 1, filler: "x".repeat(50 * 1024 * 1024) },
    environmentVariables: { GREETING: "hello" },
    datasetKeys: ["hook"],
  });
  const accepted = await call<Data<{ statusUrl: string }>>("POST", `/v4/webhook/docs/${doc}/execute`, {
    body,
    headers: { prefer: "respond-async" },
  });
  expect(accepted.status, JSON.stringify(accepted.body)).toBe(202);
  const state = async () => (await call<Data<{ state: string }>>("GET", accepted.body.data.statusUrl)).body.data.state;
  await expect.poll(state, { timeout: 60_000, interval: 500 }).toBe("succeeded");
}, 120_000);

it("answers a large body that is sent again under its key as it did before", async () => {
  const doc = await newDoc();
  const body = JSON.stringify({
    data: { id: 1, filler: "x".repeat(8 * 1024 * 1024) },
    environmentVariables: { GREETING: "hello" },
    datasetKeys: ["hook"],
  });
  const post = () =>
    call<Data<{ results: Results }>>("POST", `/v4/webhook/docs/${doc}/execute`, {
      body,
      headers: { "idempotency-key": "large" },
    });
  const first = await post();
  expect(first.status, JSON.stringify(first.body)).toBe(200);
  for (let again = 0; again < 3; again++)
    expect(await post()).toMatchObject({ status: 200, body: { data: { results: first.body.data.results } } });
}, 120_000);

it("runs nothing for an envelope with a flaw", async () => {
  const doc = await newDoc();
  const long = `{"data": NaN, "filler": "${"x".repeat(8 * 1024 * 1024)}"}`;
  for (const body of [
    long,
    '{"data": 1',
    '{"datasetKeys": "hook"}',
    '{"datasetKeys": ["raw"]}',
    '{"environmentVariables": {"LD_PRELOAD": "x"}}',
    '{"other": 1}',
  ]) {
    const answer = await send("POST", `/v4/webhook/docs/${doc}/execute`, { body });
    expect([body.slice(0, 100), answer.status]).toEqual([body.slice(0, 100), 422]);
    await answer.body?.cancel();
  }
  expect((await call<Data<{ total: number }>>("GET", `/v4/docs/${doc}/runs`)).body.data.total).toBe(0);
});

const SDK_CODE = `
from definite_sdk import DefiniteClient
client = DefiniteClient()
answers = {"sql": client.get_sql_client().execute("select 9007199254740993 as n")["data"][0]["n"]}

store = client.get_kv_store("sdk-inside")
store["seen"] = "once"
store.commit()
stale, fresh = client.get_kv_store("sdk-inside"), client.get_kv_store("sdk-inside")
fresh["seen"] = "twice"
fresh.commit()
try:
    stale.commit()
    answers["stale"] = "went through"
except Exception:
    answers["stale"] = "refused"
answers["kv"] = client.get_kv_store("sdk-inside")["seen"]
fresh.delete()

secrets = client.get_secret_store()
secrets.set_secret("sdk_inside", "hush")
answers["secret"] = [secrets.get_secret("sdk_inside"), "sdk_inside" in list(secrets.list_secrets())]
secrets.delete_secret("sdk_inside")

written = client.get_drive_client().write_file(b"a,b\\n1,2\\n", path="sdk/inside.csv")
answers["drive"] = client.get_sql_client().execute(f"select a + b as sum from read_csv('{written.gcs_path}')")["data"][0]["sum"]
answers["lake"] = any(one["type"] == "lake" for one in client.get_integration_store().list_integrations())
result = answers
`;

it("serves the public SDK from inside a dataset: SQL, stores, secrets, the drive and its file by SQL", async () => {
  const sdk = { ...DEFINITION, datasets: { sdk: { engine: "python", code: SDK_CODE, timeoutMs: 90_000 } } };
  const id = (await call<Data<{ id: string }>>("POST", "/v4/docs", { body: sdk })).body.data.id;
  const { body } = await call<Data<{ results: Results }>>("POST", `/v4/webhook/docs/${id}/execute`, { body: {} });
  expect(body.data.results["sdk"]).toMatchObject({ success: true, error: null });
  const execution = await call<Data<{ result: { download_url: string } }>>(
    "GET",
    `/v4/executions/${body.data.results["sdk"]!.executionId}`,
  );
  const text = await (await fetch(execution.body.data.result.download_url)).text();
  expect(text).toContain('"sql":9007199254740993');
  expect(JSON.parse(text)).toMatchObject({
    stale: "refused",
    kv: "twice",
    secret: ["hush", true],
    drive: 3,
    lake: true,
  });
}, 120_000);
