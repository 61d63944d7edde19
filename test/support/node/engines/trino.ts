// A Trino of one node or more, with a catalog of its connector to Iceberg as docs/open-lake.md says, and its protocol.

import { spawn, type ChildProcess } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endProcess, endWithUs, freePort, lastComplaints, untilReady } from "../servers/server-process.ts";
import {
  countInParts,
  type CatalogAccess,
  type Catalogs,
  type Engine,
  type EngineClient,
  type Predicate,
  type TableName,
} from "./engine-client.ts";
import type { FetchedClients } from "./fetch-clients.ts";
import { decodeRows, parsePage, type TrinoColumn } from "./trino-values.ts";

const START_MS = 240_000;
const STATEMENT_MS = 300_000;
const STOP_MS = 20_000;

type Page = {
  nextUri?: string;
  columns?: TrinoColumn[];
  data?: unknown[][];
  error?: { message: string; errorName: string };
};

/** As the page about the open lake has it; the storage's address is Trino's own setting. */
export const catalogProperties = (
  { baseUrl, warehouse, key }: CatalogAccess,
  storage: string,
): Record<string, string> => ({
  "connector.name": "iceberg",
  "iceberg.catalog.type": "rest",
  "iceberg.rest-catalog.uri": `${baseUrl}/iceberg`,
  "iceberg.rest-catalog.warehouse": warehouse,
  "iceberg.rest-catalog.security": "OAUTH2",
  "iceberg.rest-catalog.oauth2.token": key,
  "iceberg.rest-catalog.vended-credentials-enabled": "true",
  "iceberg.rest-catalog.case-insensitive-name-matching": "true",
  "iceberg.security": "read_only",
  "fs.native-s3.enabled": "true",
  "s3.endpoint": storage,
  "s3.region": "auto",
  "s3.path-style-access": "true",
});

/** The properties that a catalog's file has, by their names. */
export const readProperties = (file: string): Record<string, string> =>
  Object.fromEntries([...file.matchAll(/^([^#=\s]+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]));

/** A node that is lost is given up soon, so that a test is over soon. */
const nodeProperties = (port: number, coordinatorPort: number): Record<string, string> => ({
  coordinator: String(port === coordinatorPort),
  ...(port === coordinatorPort && { "node-scheduler.include-coordinator": "true" }),
  "http-server.http.port": String(port),
  "discovery.uri": `http://127.0.0.1:${coordinatorPort}`,
  "query.max-memory": "800MB",
  "query.max-memory-per-node": "400MB",
  "query.remote-task.max-error-duration": "5s",
  "memory.heap-headroom-per-node": "300MB",
  "catalog.management": "static",
});

const JVM = [
  "-server",
  "-Xmx1200M",
  "-XX:+ExitOnOutOfMemoryError",
  "-Djdk.attach.allowAttachSelf=true",
  "-Dfile.encoding=UTF-8",
];
/** Compiles soon rather than well, for statements that run once. */
const JVM_OF_TESTS = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];

/** `storage`: where the platform's objects are, as S3. */
export async function startTrino(clients: FetchedClients, catalogs: Catalogs, storage: string): Promise<Engine> {
  const properties = Object.entries(catalogs).map(([name, access]) => [name, catalogProperties(access, storage)]);
  const { url, stop } = await startTrinoServer(clients, Object.fromEntries(properties) as TrinoCatalogs);
  return {
    of: (catalog) => clientOf(url, catalog),
    ask: () => Promise.reject(new Error("Trino holds nothing.")),
    stop,
  };
}

/** The properties of each catalog by its name. */
type TrinoCatalogs = Record<string, Record<string, string>>;

export type TrinoServer = {
  url: string;
  /** Ends a node that is not the coordinator, without a word to anybody. */
  killWorker(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * `workers`: nodes beside the coordinator, which works, too. `port`: the coordinator's, a free one where absent.
 * `isMeasured`: as Trino's own guide starts it, for a benchmark.
 */
export async function startTrinoServer(
  clients: Pick<FetchedClients, "trino" | "java">,
  catalogs: TrinoCatalogs,
  {
    workers = 0,
    port: coordinatorPort,
    isMeasured = false,
  }: { workers?: number; port?: number; isMeasured?: boolean } = {},
): Promise<TrinoServer> {
  const port = coordinatorPort ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const nodes: Node[] = [];
  const jvm = isMeasured ? JVM : [...JVM, ...JVM_OF_TESTS];
  const stop = async (): Promise<void> => void (await Promise.all(nodes.map((node) => node.stop())));
  try {
    for (let i = 0; i <= workers; i++) {
      const own = i === 0 ? port : await freePort();
      nodes.push(await spawnNode(clients, catalogs, { id: `node${i}`, port: own, coordinatorPort: port, jvm }));
    }
    const [{ child }] = nodes as [Node];
    await untilReady(child, START_MS, async () => {
      const { rows } = await runStatement(url, "SELECT count(*) FROM system.runtime.nodes WHERE state = 'active'");
      if (Number(rows[0]![0]) <= workers) throw new Error("Not all nodes are there yet.");
    });
  } catch (cause) {
    const printed = nodes.map(({ complaints }) => complaints.join("")).join("\n");
    await stop();
    throw new Error(`Trino did not start. It printed:\n${printed}`, { cause });
  }
  const killWorker = async (): Promise<void> => {
    const node = nodes.pop()!;
    if (nodes.length === 0) throw new Error("There is no worker.");
    await node.stop("SIGKILL");
  };
  return { url, killWorker, stop };
}

type Node = { child: ChildProcess; complaints: string[]; stop(signal?: "SIGTERM" | "SIGKILL"): Promise<void> };

async function spawnNode(
  { trino, java }: Pick<FetchedClients, "trino" | "java">,
  catalogs: TrinoCatalogs,
  { id, port, coordinatorPort, jvm }: { id: string; port: number; coordinatorPort: number; jvm: readonly string[] },
): Promise<Node> {
  const folder = await mkdtemp(join(tmpdir(), "fjord-trino-"));
  const [etc, data] = [join(folder, "etc"), join(folder, "data")];
  await mkdir(join(etc, "catalog"), { recursive: true });
  const properties = (values: Record<string, string>): string =>
    Object.entries(values)
      .map(([name, value]) => `${name}=${value}\n`)
      .join("");
  const files = {
    "node.properties": properties({ "node.environment": "fjord", "node.id": id, "node.data-dir": data }),
    "config.properties": properties(nodeProperties(port, coordinatorPort)),
    "jvm.config": `${jvm.join("\n")}\n`,
    "log.properties": properties({ "io.trino": "WARN" }),
    ...Object.fromEntries(
      Object.entries(catalogs).map(([name, values]) => [`catalog/${name}.properties`, properties(values)]),
    ),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(etc, name), text);

  const child = spawn(join(trino, "bin", "launcher"), ["run", "--etc-dir", etc, "--data-dir", data], {
    env: { ...process.env, JAVA_HOME: java, PATH: `${join(java, "bin")}:${process.env.PATH}` },
    stdio: ["ignore", "pipe", "pipe"],
  });
  endWithUs(child);
  const complaints = lastComplaints(child);
  child.stdout.setEncoding("utf8").on("data", (text: string) => complaints.push(text) > 50 && complaints.shift());
  return {
    child,
    complaints,
    async stop(signal = "SIGTERM") {
      await endProcess(child, signal, STOP_MS);
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function clientOf(url: string, catalog: string): EngineClient {
  const run = (sql: string) => runStatement(url, sql);
  const sourceOf = ([schema, name]: TableName, snapshot: number | null = null): string =>
    `${catalog}."${schema}"."${name}"${snapshot === null ? "" : ` FOR VERSION AS OF BIGINT '${snapshot}'`}`;
  const read = (table: TableName, snapshot?: number | null) => run(`SELECT * FROM ${sourceOf(table, snapshot)}`);
  return {
    async tables() {
      const { rows } = await run(
        `SELECT table_schema, table_name FROM ${catalog}.information_schema.tables ` +
          "WHERE table_schema NOT IN ('information_schema', 'system')",
      );
      return rows as [string, string][];
    },
    read,
    count: (table, predicates) =>
      countInParts(async (part) => {
        const counts = part.map(
          (each, index) => `SELECT ${index}, count(*) FROM ${sourceOf(table)} WHERE ${conditionOf(each)}`,
        );
        const { rows } = await run(`${counts.join(" UNION ALL ")} ORDER BY 1`);
        return rows.map(([, count]) => Number(count));
      }, predicates),
    write: async (table) => void (await run(`DELETE FROM ${sourceOf(table)}`)),
    // Each statement loads its tables anew.
    hold: async (table) => void (await read(table)),
    readHeld: (table) => read(table),
  };
}

const TYPES: Record<string, string> = {
  string: "varchar",
  long: "bigint",
  int: "integer",
  float: "real",
  timestamp: "timestamp(6)",
  timestamptz: "timestamp(6) with time zone",
  time: "time(6)",
};

const conditionOf = ({ column, operator, value, type }: Predicate): string =>
  `"${column}" ${operator} CAST('${value}' AS ${TYPES[type] ?? type})`;

/** Rejects with Trino's own words. */
async function runStatement(url: string, sql: string): Promise<{ columns: string[]; rows: unknown[][] }> {
  const signal = AbortSignal.timeout(STATEMENT_MS);
  const ask = async (address: string, init: RequestInit): Promise<Page> => {
    const headers = {
      "x-trino-user": "fjord",
      "x-trino-time-zone": "UTC",
      "x-trino-client-capabilities": "PARAMETRIC_DATETIME",
    };
    const response = await fetch(address, { ...init, headers, signal });
    if (!response.ok) throw new Error(`Trino answered ${response.status}: ${await response.text()}`);
    return parsePage(await response.text()) as Page;
  };
  let columns: TrinoColumn[] = [];
  const rows: unknown[][] = [];
  let page = await ask(`${url}/v1/statement`, { method: "POST", body: sql });
  for (;;) {
    if (page.error) throw new Error(`${page.error.errorName}: ${page.error.message}`);
    columns = page.columns ?? columns;
    rows.push(...(page.data ?? []));
    if (!page.nextUri) return { columns: columns.map(({ name }) => name), rows: decodeRows(columns, rows) };
    // Trino answers this request once there are rows, or after a second.
    page = await ask(page.nextUri, { method: "GET" });
  }
}
