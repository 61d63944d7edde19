// The protocol's own tools for servers of agents: its conformance suite, and the command line of its inspector.

import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { installPackages } from "./npm-packages.ts";

const run = promisify(execFile);
const RUN_MS = 300_000;
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;
const PACKAGES = "node_modules/@modelcontextprotocol";

/** The first time on a machine they come from npm. */
export const mcpTools = (): Promise<string> =>
  installPackages("mcp-tools/packages", fileURLToPath(new URL("mcp-tools", import.meta.url)));

export type Check = { scenario: string; id: string; status: string; errorMessage?: string };

/** Every check of a run of the suite, which is told by `args` what to run. It ends with an error where one fails. */
export async function checkConformance(tools: string, url: string, args: readonly string[]): Promise<Check[]> {
  const folder = await mkdtemp(join(tmpdir(), "fjord-conformance-"));
  const program = join(tools, PACKAGES, "conformance/dist/index.js");
  try {
    const all = [program, "server", "--url", url, "--output-dir", folder, ...args];
    await run(process.execPath, all, { timeout: RUN_MS, maxBuffer: OUTPUT_BYTES_MAX }).catch((error: unknown) => {
      if ((error as { code?: unknown }).code !== 1) throw error;
    });
    const names = await readdir(folder);
    const lists = names.map(async (name) => {
      const [, scenario = name] = /^server-(.+?)-\d{4}-\d\d-\d\dT/.exec(name) ?? [];
      const checks = JSON.parse(await readFile(join(folder, name, "checks.json"), "utf8")) as Omit<Check, "scenario">[];
      return checks.map((check) => ({ ...check, scenario }));
    });
    return (await Promise.all(lists)).flat();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The suite sends no key: it asks here, and everything else of its requests goes on as it is. */
export async function startKeyHolder(baseUrl: string, key: string): Promise<{ url: string; stop(): void }> {
  const server = createServer((asked, answer) => {
    const headers = { ...asked.headers, authorization: `Bearer ${key}` };
    const sent = request(new URL(asked.url!, baseUrl), { method: asked.method!, headers }, (got) => {
      answer.writeHead(got.statusCode!, got.headers);
      got.pipe(answer);
    });
    sent.on("error", () => answer.destroy());
    asked.pipe(sent);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, stop: () => void server.close().closeAllConnections() };
}

/** What the inspector prints of one method. Rejects where it ends with an error. */
export async function inspect(tools: string, url: string, key: string, args: readonly string[]): Promise<unknown> {
  const program = join(tools, PACKAGES, "inspector/clients/launcher/build/index.js");
  const all = [program, "--cli", url, "--transport", "http", "--header", `Authorization: Bearer ${key}`, ...args];
  const { stdout } = await run(process.execPath, all, { timeout: RUN_MS, maxBuffer: OUTPUT_BYTES_MAX });
  return JSON.parse(stdout);
}
