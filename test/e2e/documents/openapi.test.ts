// The served document as the tools of others take it: validators, linters, and generators of clients that then work.

import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import {
  clientTypes,
  generatePythonClient,
  lintDocument,
  openapiTools,
  runPython,
  validateDocument,
} from "../../support/node/tools/openapi-tools.ts";
import { root } from "../../support/node/platform/platform.ts";
import { send } from "../client.ts";

const run = promisify(execFile);

let tools: { node: string; python: string };
let folder: string;
let document: string;
beforeAll(async () => {
  [tools, folder, document] = await Promise.all([
    openapiTools(),
    mkdtemp(join(tmpdir(), "fjord-openapi-")),
    send("GET", "/openapi.json").then((response) => response.text()),
  ]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it("is valid to openapi-spec-validator", async () => {
  await validateDocument(tools, document);
}, 600_000);

/** Takes what the API takes, by name; the marked line is what must not compile. */
const typesProgram = (credentials: string) => `
import type { components, paths } from "./api.d.ts";
export const made: components["schemas"]["NewMysql"] = { type: "mysql", credentials: ${credentials} };
export const asked: components["schemas"]["NewIntegration"] = made;
export const page = (body: components["schemas"]["DocPage"]): string | undefined => body.items[0]?.name;
export type Run = paths["/v1/api/integrations/{integration_id}/syncs/run"]["post"];
export const none: Run["requestBody"] = undefined;
`;

const compile = async (credentials: string): Promise<string> => {
  await writeFile(join(folder, "use.ts"), typesProgram(credentials));
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const args = [
    tsc,
    "--noEmit",
    "--strict",
    "--module",
    "nodenext",
    "--moduleResolution",
    "nodenext",
    "--types",
    "",
    "--allowImportingTsExtensions",
    "use.ts",
  ];
  return run(process.execPath, args, { cwd: folder }).then(
    () => "",
    ({ stdout }: { stdout: string }) => stdout,
  );
};

it("is without a finding to Spectral and Redocly, and gives TypeScript types that compile", async () => {
  expect(await lintDocument(tools, document, join(folder, "api.d.ts"))).toEqual({ spectral: [], redocly: [] });
  expect(await compile('{ host: "h", port: "1", database: "d", username: "u", password: "p" }')).toBe("");
  expect(await compile('{ host: "h" }')).toContain("is missing the following properties");
});

it("is what the types of the client and of the console are made of", async () => {
  const types = join(root, "clients/typescript/schema.d.ts");
  await expect(await clientTypes(tools, document)).toMatchFileSnapshot(types);
});

/** Imports every module of the client, then asks the platform with it. */
const CLIENT_PROGRAM = `
import importlib, json, pkgutil, sys
import fjord_client
modules = [importlib.import_module(module.name) for module in pkgutil.walk_packages(fjord_client.__path__, "fjord_client.")]
from fjord_client import AuthenticatedClient, models
from fjord_client.api.docs import create_doc, list_docs, set_webhook_secret
from fjord_client.api.query import run_query
from fjord_client.api.users import get_me
base, key = sys.argv[1:]
client = AuthenticatedClient(base_url=base, token=key)
answer = run_query.sync(client=client, body=models.NewQuery(sql="SELECT 42 AS n"))
code = models.PythonDataset(engine=models.PythonDatasetEngine.PYTHON, code="result = 1")
datasets = models.DocDefinitionDatasets()
datasets["one"] = code
definition = models.DocDefinition(version=1, kind=models.DocDefinitionKind.PIPELINE, metadata=models.DocDefinitionMetadata(name="Made by a client"), datasets=datasets)
made = create_doc.sync(client=client, body=definition)
signed = set_webhook_secret.sync(made.data.id, client=client)
failure = run_query.sync(client=client, body=models.NewQuery(sql="SELEKT"))
print(json.dumps({
    "modules": len(modules), "rows": [row.to_dict() for row in answer.data], "me": get_me.sync(client=client).data.role.value,
    "docs": type(list_docs.sync(client=client).data).__name__, "secret": signed.data.secret[:6],
    "failure": type(failure).__name__,
}))
`;

/** The generator knows few media types: a definition goes as JSON, and the export comes as bytes. */
const WARNINGS = [
  "WARNING parsing POST /v4/docs within docs.",
  "WARNING parsing PUT /v4/docs/{doc_id} within docs.",
  // Mails are of the media type message/rfc822.
  "WARNING parsing GET /v4/admin/outbox/{mail_id} within mail.",
  // A statement of Trino's clients is plain text.
  "WARNING parsing POST /v1/statement within trinos_protocol. Endpoint will not be generated.",
  "WARNING parsing PUT /v1/api/integrations/{integration_id}/model within semantic_models.",
  "WARNING parsing GET /v4/catalog/integrations/{integration_id}/export within catalog.",
];

it("gives a Python client whose modules import and whose operations answer", async () => {
  const printed = await generatePythonClient(tools, document, folder, "fjord_client");
  expect(printed.match(/^(WARNING|ERROR) .*$/gm)).toEqual(WARNINGS);
  const { baseUrl, key } = inject("platform");
  const { modules, ...rest } = JSON.parse(await runPython(tools, CLIENT_PROGRAM, folder, [baseUrl, key])) as Record<
    string,
    unknown
  >;
  expect(modules).toBeGreaterThan(200);
  expect(rest).toEqual({ rows: [{ n: 42 }], me: "admin", docs: "DocPage", secret: "whsec_", failure: "Failure" });
});
