// The commands of the README and of the pages in docs/, typed in their order into a shell of each page's own, as a
// reader would.

import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { type BlockRun, runBlocks, type ShellBlock, shellBlocks } from "../../support/node/tools/markdown-shell.ts";
import { root } from "../../support/node/platform/platform.ts";
import { rowsOf } from "../client.ts";

/** Not to be typed here: what starts the platform, what deploys it, and what runs these very tests. */
const KINDS_APART = ["start", "deploy", "checks"];
const PAGE_MS_MAX = 120_000;
const PAGES_MS_MAX = 420_000;
const DATABASE = "shop";

type PageRun = { markdown: string; runs: BlockRun[] };

let folder: string;
const pages = new Map<string, PageRun>();

/** What the reader's own database would be. */
async function makeShop(): Promise<Record<string, string>> {
  const { host, port, username, password } = inject("postgres");
  const connect = async (name: string, sql: string) => {
    const client = new pg.Client({ host, port, user: username, password, database: name });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  await connect("postgres", `CREATE DATABASE ${DATABASE}`);
  await connect(
    DATABASE,
    "CREATE TABLE public.people (id int PRIMARY KEY, name text); INSERT INTO public.people VALUES (1, 'Ada'), (2, 'Grace'); CREATE SCHEMA sales; CREATE TABLE sales.orders (id int PRIMARY KEY); INSERT INTO sales.orders VALUES (7)",
  );
  return { DB_HOST: host, DB_PORT: String(port), DB_NAME: DATABASE, DB_USER: username, DB_PASSWORD: password };
}

const isTyped = ({ kind }: ShellBlock): boolean => kind === "";

/** The block of the README that every page asks its reader for. */
const isShell = ({ text }: ShellBlock): boolean => text.startsWith("export FJORD_URL=$BASE ");

async function readPages(): Promise<Map<string, string>> {
  const pagesOf = async (folder: string) =>
    (await readdir(join(root, folder))).filter((name) => name.endsWith(".md")).map((name) => `${folder}/${name}`);
  const docs = (await Promise.all(["docs", "docs/operating", "docs/questions"].map(pagesOf))).flat().sort();
  const names = ["README.md", ...docs];
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(root, name), "utf8")] as const)),
  );
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fjord-pages-"));
  const { baseUrl, key } = inject("platform");
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: process.env.HOME ?? folder,
    BASE: baseUrl,
    KEY: key,
    ...(await makeShop()),
  };
  const texts = await readPages();
  const shell = shellBlocks(texts.get("README.md")!).filter(isShell);
  expect(shell).toHaveLength(1);
  // One after the other: the README, which comes first, makes the integration that a page may ask for.
  for (const [name, markdown] of texts) {
    const blocks = shellBlocks(markdown).filter(isTyped);
    // The reader stands in the project's folder; what is typed must not leave files in ours.
    const here = await mkdtemp(join(folder, "page-"));
    await mkdir(join(here, "node_modules/.bin"), { recursive: true });
    await symlink(join(root, "clients/cli/fjord.mjs"), join(here, "node_modules/.bin/fjord"));
    await copyFile(join(root, "README.md"), join(here, "README.md"));
    const typed = name === "README.md" || blocks.length === 0 ? blocks : [...shell, ...blocks];
    pages.set(name, { markdown, runs: await runBlocks(typed, here, env, PAGE_MS_MAX) });
  }
}, PAGES_MS_MAX);
afterAll(() => rm(folder, { recursive: true, force: true }));

const runsUnder = (page: string, heading: string): BlockRun[] => {
  const runs = pages.get(page)!.runs.filter((run) => run.heading === heading);
  expect(runs, `${page}: ${heading}`).not.toEqual([]);
  return runs;
};

/** The documents that the blocks under a heading printed; those of queries are of several lines. */
function answersOf(page: string, heading: string): Record<string, unknown>[] {
  const answers: Record<string, unknown>[] = [];
  let begun = "";
  for (const line of runsUnder(page, heading).flatMap(({ stdout }) => stdout.split("\n"))) {
    if (begun === "" && !line.startsWith("{")) continue;
    begun += line;
    try {
      answers.push(JSON.parse(begun) as Record<string, unknown>);
      begun = "";
    } catch {
      // It goes on in the next line.
    }
  }
  expect(begun).toBe("");
  return answers;
}

it("has no other blocks apart than those that start, deploy and check", () => {
  const kinds = [...pages.values()].flatMap(({ markdown }) => shellBlocks(markdown).map(({ kind }) => kind));
  expect([...new Set(kinds)].sort()).toEqual(["", ...KINDS_APART].sort());
});

it("ends every command well, and none but those that show a failure is answered with one", () => {
  const failing = ["Deadlines and cancelling", "Failures"];
  for (const [page, { runs }] of pages) {
    for (const { heading, text, stdout, stderr, hasEnded } of runs) {
      expect(hasEnded, `${page}, ${heading}:\n${text}\n${stdout}\n${stderr}`).toBe(true);
      if (!failing.includes(heading)) expect(stdout, `${page}: ${text}`).not.toContain('"success":false');
    }
  }
});

describe("README.md", () => {
  it("answers its first query as it says", () => {
    const section = pages.get("README.md")!.markdown.split("## The first query")[1]?.split("\n## ")[0] ?? "";
    const promised = JSON.parse(/```json\n([\s\S]*?)```/.exec(section)![1]!) as Record<string, unknown>;
    expect(answersOf("README.md", "The first query")).toMatchObject([promised]);
  });

  it("connects a database that answers", () => {
    expect(answersOf("README.md", "Connect your database")).toMatchObject([
      { data: [{ version: expect.stringContaining("PostgreSQL") as string }] },
    ]);
  });
});

describe("docs/querying.md", () => {
  it("asks the lake, and gets CSV and all digits", () => {
    const [{ stdout }] = runsUnder("docs/querying.md", "Ask the lake") as [BlockRun];
    expect(stdout).toMatch(/^sample +order_items$/m);
    expect(stdout).toMatch(/^Norway +\d+$/m);
    expect(runsUnder("docs/querying.md", "Formats")[0]!.stdout).toMatch(/^name,price\r?\n/);
    expect(answersOf("docs/querying.md", "How values arrive in JSON")).toMatchObject([
      { data: [{ large: "12345678901234567890" }] },
    ]);
  });

  it("cancels a statement before its time", () => {
    expect(answersOf("docs/querying.md", "Deadlines and cancelling")).toMatchObject([
      { success: false, error: { code: "query_cancelled" } },
    ]);
  });
});

describe("docs/connecting.md", () => {
  it("tests, asks and renames an integration", () => {
    expect(answersOf("docs/connecting.md", "Make an integration")).toMatchObject([
      { connection: { product: "PostgreSQL" } },
      { data: [{ version: expect.stringContaining("PostgreSQL") as string }] },
      { integration: { name: "Shop, for reading" } },
    ]);
  });
});

describe("docs/syncs.md", () => {
  it("brings the tables", async () => {
    expect(answersOf("docs/syncs.md", "Set it up")).toContainEqual(expect.objectContaining({ data: [{ people: 2 }] }));
    expect(await rowsOf("SELECT max(id) AS orders FROM LAKE.shop.orders")).toEqual([{ orders: 7 }]);
  });
});

describe("docs/writing.md", () => {
  it("reads from the past what a merge changed", () => {
    expect(answersOf("docs/writing.md", "Write")).toMatchObject([
      { success: true },
      { data: [{ count: 1 }] },
      { data: [{ customer_id: 1, more: 10 }] },
    ]);
  });

  it("browses tables and columns", () => {
    expect(answersOf("docs/writing.md", "Browse the lake")).toMatchObject([{ success: true }, { success: true }]);
  });
});

describe("docs/drive.md", () => {
  it("uploads a file, reads it by SQL and downloads it", () => {
    expect(answersOf("docs/drive.md", "Upload a file and query it")).toMatchObject([{ data: [{ visits: 255 }] }]);
    expect(runsUnder("docs/drive.md", "List, look, download, delete")[0]!.stdout).toContain("2026-05-02,135");
  });

  it("makes a large file of its parts", () => {
    expect(answersOf("docs/drive.md", "Large files, in parts")).toMatchObject([
      { path: "exports/large.bin", bytes: 6_000_000 },
    ]);
  });
});

describe("docs/python-and-webhooks.md", () => {
  it("brings the payload to the code, and has its log", () => {
    const [execution, logs] = answersOf("docs/python-and-webhooks.md", "Run it by webhook") as [
      unknown,
      { data: { items: unknown[] } },
    ];
    expect(execution).toMatchObject({
      data: { dataset_key: "score", state: "succeeded", result: { kind: "frame", rows: 5 } },
    });
    expect(logs.data.items).toContainEqual(expect.objectContaining({ stream: "stdout", message: "asked for 5" }));
  });

  it("lets the SDK work from outside", () => {
    const heading = "Key-value stores and secrets";
    expect(runsUnder("docs/python-and-webhooks.md", heading)[0]!.stdout).toMatch(/^\[\{'products': \d+\}\]$/m);
    expect(answersOf("docs/python-and-webhooks.md", heading)).toMatchObject([{ data: { orders: "2026-01-31" } }]);
  });
});

describe("docs/access.md", () => {
  it("makes a user whose key says who it is, and a key with scopes that is rotated", () => {
    expect(answersOf("docs/access.md", "Users and keys")).toMatchObject([
      { data: { role: "admin" } },
      { data: { role: "member", user: { name: "Grace" } } },
      { data: { name: "Dashboards", scopes: ["query", "catalog:read"], last_used_at: null, successor_id: null } },
      { data: { name: "Grace", role: "member" } },
    ]);
  });
});

describe("docs/data-access.md", () => {
  it("lets the analyst see the rows, columns and values that the role grants, and no others", () => {
    const [, me, asked] = answersOf("docs/data-access.md", "What somebody would see");
    expect(me).toMatchObject({
      data: { bypass: false, attributes: { country: "Germany" }, roles: [{ name: "Sales of a country" }] },
    });
    expect(asked).toMatchObject({ data: [{ country: "Germany", addresses: 0 }] });
    expect((asked as { data: { customers: number }[] }).data[0]!.customers).toBeGreaterThan(0);
  });
});

describe("docs/semantic-layer.md", () => {
  it("answers Cube's clients in Cube's form", () => {
    const [meta, loaded, sql, dryRun] = answersOf("docs/semantic-layer.md", "From Cube's clients");
    expect([meta, loaded, sql, dryRun]).toMatchObject([
      { cubes: [{ name: "orders" }, { name: "customers" }, { name: "items" }] },
      {
        queryType: "regularQuery",
        results: [{ data: [{ "customers.country": "Norway", "orders.count": "46856" }, {}, {}] }],
      },
      { sql: { sql: [expect.stringContaining("SELECT"), []] } },
      { queryType: "regularQuery", normalizedQueries: [{ measures: ["orders.count"] }] },
    ]);
  });

  it("answers other than Cube as it says", () => {
    const [facts, filtered, , rolling, born, after, digits, ungrouped] = answersOf(
      "docs/semantic-layer.md",
      "Other than Cube",
    ).map(({ data }) => data);
    expect([facts, filtered]).toEqual([
      [{ "customers.count": 20_000, "orders.count": 199_879 }],
      [{ "customers.count": 17_829 }],
    ]);
    expect(rolling).toMatchObject([{ "orders.count": 6_137, "orders.last_7_days": 1_421 }, {}]);
    expect(born).toMatchObject([{ "customers.born_on": "1950-01-03T00:00:00.000" }]);
    expect([after, digits]).toEqual([[{ "orders.count": 434 }], [{ "orders.count": "199879" }]]);
    expect(ungrouped).toMatchObject([{ "customers.count": 1 }, { "customers.count": 1 }]);
  });
});

describe("docs/administration.md", () => {
  it("finds and changes a team, and makes a link that signs in", () => {
    const [found, changed] = answersOf("docs/administration.md", "Teams");
    const isDemo = expect.objectContaining({ name: "Demo" }) as object;
    expect(found).toMatchObject({ data: { items: expect.arrayContaining([isDemo]) as object[], limit: 10 } });
    expect(changed).toMatchObject({ data: { name: "Acme", plan: "standard" } });
    const [link] = answersOf("docs/administration.md", "Sign in for a team's admin");
    expect(JSON.stringify(link)).toContain("/app/sign-in#");
  });

  it("counts what was asked, by kind and team", () => {
    const [both] = answersOf("docs/administration.md", "Statistics");
    expect((both as { data: { series: unknown[] } }).data.series).toHaveLength(2);
  });
});

describe("docs/limits-and-failures.md", () => {
  it("shows where SQL fails, and which fields are wrong", () => {
    expect(answersOf("docs/limits-and-failures.md", "Failures")).toMatchObject([
      { error: { code: "query_failed", line: 1 } },
      { error: { code: "validation_failed", flaws: [{ pointer: "/sql" }, { pointer: "/timeout_ms" }] } },
    ]);
  });
});

describe("docs/deploy-and-operate.md", () => {
  it("probes the storage with the answers it names", () => {
    const [{ stdout }] = runsUnder("docs/deploy-and-operate.md", "What only real R2 can show") as [BlockRun];
    expect(stdout.match(/^\d{3}$/gm)).toEqual(["200", "403"]);
  });
});
