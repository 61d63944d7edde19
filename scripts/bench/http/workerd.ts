// Bare `workerd serve`: a bundle, its bindings, one socket, and nothing in front.

import { mkdir, readdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, extname, join } from "node:path";
import { unstable_readConfig as readConfig } from "wrangler";
import { freePort } from "../../../test/support/node/servers/server-process.ts";
import { wranglerEnvironment } from "../../start/wrangler.ts";
import { ROOT, runProgram, startServer, type Program } from "../support/program.ts";

const require = createRequire(import.meta.url);
const wrangler = join(ROOT, "node_modules/wrangler/bin/wrangler.js");
const { default: workerd } = require("workerd") as { default: string };

/** What of a Wrangler configuration workerd has to know. */
type Config = {
  main: string;
  compatibility_date: string;
  compatibility_flags: string[];
  vars: Record<string, string>;
  d1_databases: { binding: string }[];
  r2_buckets: { binding: string }[];
  queues: { producers?: { binding: string }[] };
  assets?: { binding?: string };
  durable_objects: { bindings: { name: string; class_name: string }[] };
};

/** Bare workerd has no module behind `cloudflare:email`: the Worker imports its class, and no measured route sends. */
const MAIL_MODULE = "export default { EmailMessage: class {} };";

/**
 * Builds what `wrangler deploy` would upload for this configuration, minified, into `directory`; images are left alone.
 */
export async function buildBundle(configFile: string, directory: string): Promise<void> {
  const args = [
    "deploy",
    "--config",
    configFile,
    "--dry-run",
    "--containers-rollout=none",
    "--minify",
    "--outdir",
    directory,
  ];
  await runProgram(process.execPath, [wrangler, ...args], wranglerEnvironment(directory));
}

/**
 * Serves a built bundle with the bindings of its configuration. D1 is the service on `d1Port`; objects live in the
 * directory; bucket, queue and assets are declared and refuse, as no measured route reaches them.
 */
export async function serveBundle(
  configFile: string,
  directory: string,
  texts: Record<string, string>,
  d1Port: number,
): Promise<Program> {
  const config = readConfig({ config: configFile }, { hideWarnings: true }) as Config;
  const port = await freePort();
  const service = (kind: string) => (name: string) => `(name = ${quote(name)}, ${kind} = "none")`;
  const objects = config.durable_objects.bindings;
  const bindings = [
    ...Object.entries({ ...config.vars, ...texts }).map(
      ([name, text]) => `(name = ${quote(name)}, text = ${quote(text)})`,
    ),
    ...config.d1_databases.map(
      ({ binding }) =>
        `(name = ${quote(binding)}, wrapped = (moduleName = "cloudflare-internal:d1-api", ` +
        `innerBindings = [(name = "fetcher", service = "d1")]))`,
    ),
    ...config.r2_buckets.map(({ binding }) => binding).map(service("r2Bucket")),
    ...(config.queues.producers ?? []).map(({ binding }) => binding).map(service("queue")),
    ...(config.assets?.binding ? [config.assets.binding] : []).map(service("service")),
    ...objects.map(
      ({ name, class_name: className }) => `(name = ${quote(name)}, durableObjectNamespace = ${quote(className)})`,
    ),
  ];
  const namespaces = objects.map(
    ({ class_name: name }) => `(className = ${quote(name)}, uniqueKey = ${quote(name)}, enableSql = true)`,
  );
  const storage = objects.length
    ? `durableObjectNamespaces = [${namespaces.join(", ")}], durableObjectStorage = (localDisk = "objects"),`
    : "";
  // Durable Objects in memory have no SQL.
  const disk = join(directory, "objects");
  await mkdir(disk, { recursive: true });
  await writeFile(
    join(directory, "serve.capnp"),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "worker", worker = .worker),
    (name = "d1", external = (address = "127.0.0.1:${d1Port}", http = ())),
    (name = "none", network = (allow = [])),
    (name = "objects", disk = (path = ${quote(disk)}, writable = true)),
  ],
  extensions = [(modules = [(name = "cloudflare-internal:email", internal = true, esModule = ${quote(MAIL_MODULE)})])],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "worker")],
);
const worker :Workerd.Worker = (
  modules = [${await modulesOf(directory, bundleOf(config.main))}],
  compatibilityDate = ${quote(config.compatibility_date)},
  compatibilityFlags = [${config.compatibility_flags.map(quote).join(", ")}],
  ${storage}
  bindings = [${bindings.join(", ")}],
);
`,
  );
  return startServer(workerd, ["serve", join(directory, "serve.capnp"), "config"], port);
}

/** Serves a configuration by `wrangler dev`, as `npm start` serves the platform: with its proxy and log in front. */
export async function serveByWrangler(configFile: string, directory: string): Promise<Program> {
  const port = await freePort();
  const args = ["dev", "--config", configFile, "--ip", "127.0.0.1", "--port", String(port), "--inspector-port", "0"];
  const quiet = ["--persist-to", directory, "--show-interactive-dev-session=false"];
  return startServer(process.execPath, [wrangler, ...args, ...quiet], port, wranglerEnvironment(directory));
}

/** The bundler names its output after the entry. */
const bundleOf = (main: string): string => `${basename(main, extname(main))}.js`;

/** The entry first, as workerd wants it, then whatever else the bundler has put beside it. */
async function modulesOf(directory: string, entry: string): Promise<string> {
  const kinds: Record<string, string> = {
    ".js": "esModule",
    ".mjs": "esModule",
    ".wasm": "wasm",
    ".sql": "text",
    ".txt": "text",
    ".html": "text",
    ".bin": "data",
  };
  const others = (await readdir(directory)).filter((file) => file !== entry && extname(file) in kinds);
  return [entry, ...others]
    .map((file) => `(name = ${quote(file)}, ${kinds[extname(file)]} = embed ${quote(file)})`)
    .join(", ");
}

const quote = (text: string): string => JSON.stringify(text);
