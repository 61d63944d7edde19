// The house rules, kept by a test instead of by memory.

import { join } from "node:path";
import { getTableColumns, getTableName, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { describe, expect, it } from "vitest";
import * as schema from "../src/platform/db/schema.ts";
import { migratedTables } from "./support/node/tidy/sql-columns.ts";
import { findCycle, importsOf, linesOf, listFiles, ROOT, textOf } from "./support/node/tidy/source-tree.ts";

const LINES_MAX = 400;
/** A suite is a list of guarantees: it may be longer than what it guards. */
const SUITE_LINES_MAX = 620;
/** A room may import rooms of lower rank, and itself. */
const RANK: Record<string, number> = { core: 0, platform: 1, http: 2, features: 3, root: 4 };
const VAGUE = /^(types|index|service)$|(^|-)(utils?|helpers?|misc|common|shared|manager)$/;
/** The one file whose name the platform gives: the Worker's entry. */
const NAMED_BY_OTHERS = ["src/index.ts"];

const src = listFiles("src", ".ts").filter((file) => !file.endsWith(".d.ts"));
const containers = listFiles("containers", ".ts");
const code = [...src, ...containers, ...listFiles("scripts"), ...listFiles("test")].filter(
  (file) => /\.(ts|mjs|js)$/.test(file) && !file.endsWith(".d.ts"),
);

const room = (file: string) => (file.split("/").length > 2 ? file.split("/")[1]! : "root");
const feature = (file: string) => (file.startsWith("src/features/") ? file.split("/")[2] : undefined);
const stem = (file: string) =>
  file
    .split("/")
    .at(-1)!
    .replace(/(\.test|\.config)?\.\w+$/, "");

/** The files that break a rule, each with what it did. */
const offenders = <Finding>(files: string[], find: (file: string) => Finding[]): string[] =>
  files.flatMap((file) => find(file).map((finding) => `${file}: ${String(finding)}`));

const withoutComments = (file: string) => textOf(file).replaceAll(/\/\/.*|\/\*[\s\S]*?\*\//g, "");
const targetsOf = (file: string) => importsOf(file).map(({ target }) => target);

describe("every file", () => {
  it("fits in one sitting", () => {
    const linesMax = (file: string) => (file.endsWith(".test.ts") ? SUITE_LINES_MAX : LINES_MAX);
    expect(offenders(code, (file) => (linesOf(file) > linesMax(file) ? [`${linesOf(file)} lines`] : []))).toEqual([]);
  });

  it("has a name that says something, in small letters and dashes", () => {
    const named = code.filter((file) => !NAMED_BY_OTHERS.includes(file));
    expect(named.filter((file) => VAGUE.test(stem(file)) || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(stem(file)))).toEqual([]);
  });

  it("leaves nothing for later and no type unsaid", () => {
    const unfinished = new RegExp(["TO" + "DO", "FIX" + "ME", "@ts-(ignore|nocheck|expect-error)"].join("|"), "g");
    const untyped = /(: |as |<)any\b/g;
    expect(offenders(code, (file) => textOf(file).match(unfinished) ?? [])).toEqual([]);
    expect(
      offenders(
        code.filter((file) => !file.startsWith("test/")),
        (file) =>
          textOf(file)
            .replaceAll(/\/\/.*|\/\*[\s\S]*?\*\//g, "")
            .match(untyped) ?? [],
      ),
    ).toEqual([]);
  });

  it("names what it imports with its ending", () => {
    expect(
      offenders(code, (file) =>
        targetsOf(file).filter(
          (target) => /^(src|containers|test|scripts)\//.test(target) && !/\.(ts|mjs|js|json)$/.test(target),
        ),
      ),
    ).toEqual([]);
  });
});

describe("the Worker's rooms", () => {
  const local = (file: string) => targetsOf(file).filter((target) => target.startsWith("src/"));

  it("import only downwards", () => {
    expect(
      offenders(src, (file) =>
        local(file).filter((target) => room(target) !== room(file) && RANK[room(target)]! >= RANK[room(file)]!),
      ),
    ).toEqual([]);
  });

  it("leave other features' stores alone", () => {
    expect(
      offenders(src, (file) =>
        local(file).filter((target) => feature(target) !== feature(file) && target.endsWith("/store.ts")),
      ),
    ).toEqual([]);
  });

  it("take nothing from a container but its protocol", () => {
    expect(
      offenders(src, (file) =>
        targetsOf(file).filter((target) => target.startsWith("containers/") && !target.split("/").includes("contract")),
      ),
    ).toEqual([]);
  });

  it("open with a line that says what they are, or with the one thing they do", () => {
    expect(src.filter((file) => !/^(\/\/ \S|import )/.test(textOf(file)))).toEqual([]);
  });
});

it("knows every room", () => expect(src.filter((file) => RANK[room(file)] === undefined)).toEqual([]));

it("has no import cycle", () => {
  expect(findCycle(src)).toBeUndefined();
  expect(findCycle(containers)).toBeUndefined();
});

it("lets no container reach into the Worker", () => {
  const reaching = containers.filter((file) =>
    importsOf(file).some(({ target }) => /^(src|test|scripts)\//.test(target)),
  );
  expect(reaching).toEqual([]);
});

it("reads the clock and the network only outside core", () => {
  const core = src.filter((file) => room(file) === "core" && /\bfetch\(|Date\.now\(|\bEnv\b/.test(textOf(file)));
  expect(core).toEqual([]);
});

it("hands bindings to platform/ alone: features and the HTTP layer get clients of them", () => {
  const above = src.filter((file) => ["features", "http"].includes(room(file)) && file !== "src/http/app-env.ts");
  expect(offenders(above, (file) => withoutComments(file).match(/(?<![-\w])(Env|env)\b/g) ?? [])).toEqual([]);
});

describe("wrangler.toml", () => {
  const toml = textOf("wrangler.toml");
  const strings = (list: string) => [...list.matchAll(/"([^"]+)"/g)].map(([, text]) => text!);
  /** The keys of an exported record, as its source spells them: only the Workers runtime could import it. */
  const keysOf = (file: string, name: string) => {
    const [, body] = textOf(file).match(new RegExp(`export const ${name}\\b[^\\n]* = \\{([^}]*)\\}`))!;
    return [...body!.matchAll(/"([^"]+)":/g)].map(([, key]) => key!);
  };

  it("schedules exactly the crons that are registered", () => {
    expect(strings(toml.match(/crons = \[([^\]]*)\]/)![1]!).sort()).toEqual(keysOf("src/crons.ts", "CRONS").sort());
  });

  it("consumes exactly the queues that are registered", () => {
    const consumed = [...toml.matchAll(/\[\[queues\.consumers\]\]\s*queue = "([^"]+)"/g)].map(([, queue]) => queue);
    expect(consumed.sort()).toEqual(keysOf("src/queues.ts", "QUEUES").sort());
  });

  it("binds exactly the Durable Objects that are exported", () => {
    const bound = [...toml.matchAll(/\nclass_name = "(\w+Object)"/g)].map(([, name]) => name!);
    const exported = [...textOf("src/index.ts").matchAll(/export \{([^}]*)\}/g)].flatMap(([, names]) =>
      names!.split(",").map((name) => name.trim()),
    );
    expect([...new Set(bound)].sort()).toEqual(exported.filter((name) => name.endsWith("Object")).sort());
  });
});

describe("operations", () => {
  const declared = src.flatMap((file) =>
    [...textOf(file).matchAll(/operationId: "(\w+)"/g)].map(([, id]) => ({ id: id!, file })),
  );

  it("have ids of their own", () => {
    const ids = declared.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it.each(declared)("$id is the name of a function of its feature", ({ id, file }) => {
    const verb = new RegExp(`export (async )?function ${id}\\b|export const ${id}\\b`);
    const files = src.filter((other) => feature(other) === feature(file));
    expect(files.some((other) => verb.test(textOf(other)))).toBe(true);
  });
});

it("declares in drizzle exactly the columns that the migrations make", () => {
  const tables = (Object.values(schema) as unknown[]).filter((value): value is SQLiteTable => is(value, SQLiteTable));
  const declared = tables.map((table) => [
    getTableName(table),
    Object.values(getTableColumns(table))
      .map((column) => ({
        name: column.name,
        type: column.getSQLType(),
        notNull: column.notNull,
        primaryKey: column.primary,
      }))
      .sort((one, other) => (one.name < other.name ? -1 : 1)),
  ]);
  expect(Object.fromEntries(declared)).toEqual(migratedTables(join(ROOT, "migrations")));
});

it("starts every index of a tenant table with the team, but those that sweep across teams", () => {
  const sql = listFiles("migrations", ".sql").map(textOf).join("\n");
  const tenants = [...sql.matchAll(/CREATE TABLE (\w+) \(([^;]*?)\n\);/g)]
    .filter(([, , body]) => /\bteam_id TEXT\b/.test(body!))
    .map(([, name]) => name!);
  const indexed = (table: string) => new RegExp(`CREATE (UNIQUE )?INDEX \\w+ ON ${table} \\(team_id`).test(sql);
  const SWEPT = ["team_settings", "lake_removals", "lake_collections"];
  expect(tenants.filter((table) => !indexed(table) && !SWEPT.includes(table))).toEqual([]);
});

it("mentions no machine it was written on", () => {
  const named = new RegExp(
    [
      "/wo" + "rk/",
      "/tmp/in" + "st",
      "\\.\\./sha" + "red",
      "\\.libr" + "ary",
      "/ro" + "ot/",
      "/ho" + "me/(?!(user|fjord|node|engine)\\b)\\w",
    ].join("|"),
  );
  const texts = listFiles("").filter(
    (file) =>
      /\.(ts|mjs|js|json|toml|md|sql|html|css|yml|yaml|txt)$|Dockerfile|\.gitignore$/.test(file) &&
      file !== "package-lock.json",
  );
  expect(texts.filter((file) => named.test(textOf(file)))).toEqual([]);
});
