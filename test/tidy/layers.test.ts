// Which part of the project may know which: imports point one way within each part, and between the parts.

import { describe, expect, it } from "vitest";
import {
  CLIENT_FILES,
  CODE_FILES,
  codeOf,
  CONSOLE_FILES,
  CONTAINER_FILES,
  findCycle,
  findingsIn,
  importsOf,
  KERNEL_FILES,
  textOf,
  WORKER_FILES,
} from "../support/node/tidy/source-tree.ts";

/** The folders of a part, lowest first: a folder imports itself and those before it. "" are the files beside them. */
const KERNEL_LAYERS = { kernel: ["text", "time", "access", "semantic", "docs", "lake", "wire", "jobs"] };
const WORKER_LAYERS = {
  src: ["console", "core", "platform", "lake", "clients", "http", "features", ""],
  "src/features": [
    // What others count, keep and do work by.
    ...["quotas", "secrets", "kv-stores", "drive", "mail", "messages", "work-model"],
    // What there is to read, and who may.
    ...["lakes", "access", "integrations", "teams", "semantic", "glossary"],
    // What asks, and what is asked: docs ask datasets by themselves.
    ...["syncs", "trino-sql", "query", "cube-api", "saved-queries", "docs", "catalog", "knowledge", "iceberg"],
    // What is asked from outside.
    ...["publications", "endpoints", "published-dashboards", "trino"],
    // What goes out, and what works by itself.
    ...["linked-files", "slack", "destinations", "deliveries", "automations"],
    // What administers and tells.
    ...["data-access", "lake-admin", "samples", "alerts", "audit", "statistics", "operations"],
    ...["liveness", "api-reference", "console", "mcp"],
  ],
  "src/platform": [
    ...["bucket", "crypto", "db", "container", "engine", "logs", "mail", "meter", "sandbox", "webhooks"],
    ...["internet", "slack"],
    "",
  ],
  "src/lake": [
    // What DuckLake's format says, who writes, and what is stored at a snapshot.
    ...["format", "writers", "state"],
    // What a reader is told, and what a commit does.
    ...["access", "plan", "iceberg", "browse", "commit"],
    ...["maintenance", "catalog", ""],
  ],
};
const CONSOLE_LAYERS = { "src/console": ["api", "ui", "embed", "screens", "shell", ""] };
const CONTAINER_LAYERS: Record<string, string[]> = {
  "containers/engine": [
    "core",
    "duckdb",
    "parquet",
    "access",
    "formats",
    "platform",
    "extract",
    "sources",
    "cluster",
    "lake",
    "semantic",
    "parameters",
    "export",
    "jobs",
    "",
  ],
  "containers/engine/lake": ["sql", "pruning", "catalog", "process", "files", "read", "write", "build", ""],
  "containers/sandbox": ["core", "drive", "envelope", "python", "jail", "processes", "proxy", "runs", ""],
};

/** The folder of `part` that a file lies in; "" for a file of its own, undefined for one that lies elsewhere. */
function layerOf(part: string, file: string): string | undefined {
  if (!file.startsWith(`${part}/`)) return undefined;
  const [folder = "", ...rest] = file.slice(part.length + 1).split("/");
  return rest.length > 0 ? folder : "";
}

/** The imports of `part` that point upwards or at a folder the order does not know. */
const upwardsIn = (part: string, order: string[], files: string[]): string[] =>
  findingsIn(files, (file) => {
    const layer = layerOf(part, file);
    if (layer === undefined) return [];
    return importsOf(file).filter((target) => {
      const other = layerOf(part, target);
      return other !== undefined && other !== layer && order.indexOf(other) >= order.indexOf(layer);
    });
  });

const feature = (file: string) => (file.startsWith("src/features/") ? file.split("/")[2] : undefined);

describe.each(Object.entries({ ...KERNEL_LAYERS, ...WORKER_LAYERS, ...CONSOLE_LAYERS, ...CONTAINER_LAYERS }))(
  "the layers of %s",
  (part, order) => {
    const files = [...KERNEL_FILES, ...WORKER_FILES, ...CONSOLE_FILES, ...CONTAINER_FILES].filter(
      (file) => layerOf(part, file) !== undefined,
    );

    it("are all known", () => {
      expect([...new Set(files.map((file) => layerOf(part, file)!))].sort()).toEqual([...order].sort());
    });

    it("import only downwards", () => {
      expect(upwardsIn(part, order, files)).toEqual([]);
    });
  },
);

describe("the kernel", () => {
  it("imports nothing of the house, and zod alone from outside", () => {
    const foreign = (file: string) =>
      importsOf(file).filter((target) => !target.startsWith("kernel/") && target !== "zod");
    expect(findingsIn(KERNEL_FILES, foreign)).toEqual([]);
  });
});

describe("the console", () => {
  const isOurs = (target: string) => /^(src|kernel|containers|scripts|test)\//.test(target);

  it("takes from the house the kernel alone", () => {
    const foreign = (file: string) =>
      importsOf(file).filter((target) => isOurs(target) && !/^(src\/console|kernel)\//.test(target));
    expect(findingsIn(CONSOLE_FILES, foreign)).toEqual([]);
  });

  it("knows Mantine in ui/ alone", () => {
    const others = CONSOLE_FILES.filter((file) => !file.startsWith("src/console/ui/"));
    expect(findingsIn(others, (file) => importsOf(file).filter((target) => target.startsWith("@mantine/")))).toEqual(
      [],
    );
    expect(CONSOLE_FILES.some((file) => importsOf(file).includes("@mantine/core"))).toBe(true);
  });

  it("has screens that do not know each other", () => {
    const screen = (file: string) => /^src\/console\/screens\/([^/]+)\//.exec(file)?.[1];
    const others = (file: string) =>
      importsOf(file).filter((target) => screen(file) && screen(target) && screen(target) !== screen(file));
    expect(findingsIn(CONSOLE_FILES, others)).toEqual([]);
  });
});

describe("the Worker", () => {
  it("leaves other features' stores alone", () => {
    const stores = (file: string) =>
      importsOf(file).filter((target) => target.endsWith("/store.ts") && feature(target) !== feature(file));
    expect(findingsIn(WORKER_FILES, stores)).toEqual([]);
  });

  it("takes nothing from a container", () => {
    const inner = (file: string) => importsOf(file).filter((target) => target.startsWith("containers/"));
    expect(findingsIn(WORKER_FILES, inner)).toEqual([]);
  });

  it("declares each operation with its permission", () => {
    const declares = (file: string) => codeOf(file).match(/\bcreateRoute\b/) ?? [];
    expect(findingsIn(WORKER_FILES, declares)).toEqual(["src/http/router.ts: createRoute"]);
  });

  it("reads the clock and the network only outside the kernel and core", () => {
    const pure = [...KERNEL_FILES, ...WORKER_FILES.filter((file) => file.startsWith("src/core/"))];
    expect(pure.filter((file) => /\bfetch\(|Date\.now\(|\bEnv\b/.test(textOf(file)))).toEqual([]);
  });
});

describe("a container", () => {
  it("never reaches into the Worker, the scripts or the tests", () => {
    const outside = (file: string) => importsOf(file).filter((target) => /^(src|test|scripts)\//.test(target));
    expect(findingsIn(CONTAINER_FILES, outside)).toEqual([]);
  });

  it("takes of the others only what both programs share", () => {
    const programOf = (path: string) => /^containers\/(\w+)\//.exec(path)?.[1];
    const others = (file: string) =>
      importsOf(file).filter((target) => ![undefined, "program", programOf(file)].includes(programOf(target)));
    expect(findingsIn(CONTAINER_FILES, others)).toEqual([]);
  });
});

describe("a client", () => {
  const CLIENTS = "clients/typescript/";

  it("takes nothing of the house: what it publishes stands alone, and the others stand on the typed one", () => {
    const foreign = (file: string) =>
      importsOf(file).filter(
        (target) =>
          /^(src|kernel|containers|scripts|test)\//.test(target) ||
          (target.startsWith("clients/") && file.startsWith(CLIENTS) && !target.startsWith(CLIENTS)),
      );
    expect(CLIENT_FILES.length).toBeGreaterThan(0);
    expect(findingsIn(CLIENT_FILES, foreign)).toEqual([]);
  });

  it("runs wherever there is fetch: the typed one imports two packages, and nothing of Node", () => {
    const packages = (file: string) => importsOf(file).filter((target) => !target.startsWith("clients/"));
    const typed = CLIENT_FILES.filter((file) => file.startsWith(CLIENTS));
    expect([...new Set(typed.flatMap(packages))].sort()).toEqual(["apache-arrow", "openapi-fetch"]);
  });
});

it("has no import cycle, in the tests and the scripts neither", () => {
  expect(findCycle(CODE_FILES)).toBeUndefined();
});

it("reads the lake's files without a view only where nobody reads", () => {
  const readers = CONTAINER_FILES.filter((file) => /\bscanSql\b/.test(codeOf(file)));
  expect(readers.sort()).toEqual([
    "containers/engine/jobs/maintenance/compose-rewrite.ts",
    "containers/engine/jobs/sync/rows/lake-files.ts",
    "containers/engine/lake/sql/relations.ts",
  ]);
});

it("hands bindings to the platform layer alone: features and the HTTP layer get clients of them", () => {
  const isAbove = (file: string) => /^src\/(features|http)\//.test(file) && file !== "src/http/app-env.ts";
  const named = (file: string) => codeOf(file).match(/(?<![-\w])(Env|env)\b/g) ?? [];
  expect(findingsIn(WORKER_FILES.filter(isAbove), named)).toEqual([]);
});
