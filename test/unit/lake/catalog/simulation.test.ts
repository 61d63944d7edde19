import { evictDurableObject } from "cloudflare:test";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LakeChange, LakeCommit, NewDataFile } from "../../../../kernel/lake/commit.ts";
import { newId } from "../../../../src/core/ids.ts";
import { valueOf } from "../../../../src/core/answer.ts";
import { LakeModel, type Act, type ModelFile } from "../../../support/unit/lake-model.ts";
import { audit } from "./audit.ts";
import { SeenVersions } from "./seen-versions.ts";
import { column, newLake, newWriter, rowsOf, statistics, type TestLake } from "../../../support/unit/lake.ts";

const NAMES = ["a", "b"] as const;
const WRITERS = 3;
const START = Date.UTC(2100, 0, 1);

/**
 * `pick` chooses among what there is when the step comes; `rows` are new files'. `looks` brings the writer up to date
 * first.
 */
type Step = {
  writer: number;
  act: keyof typeof WEIGHTS;
  name: string;
  to: string;
  pick: number;
  rows: number[];
  looks: boolean;
  repeats: boolean;
};

/** How often each is drawn. */
const WEIGHTS = {
  ...{ append: 5, delete: 6, update: 4, drop_files: 2, overwrite: 2, compact: 5 },
  ...{
    create: 2,
    replace: 1,
    drop: 1,
    rename: 1,
    add_column: 2,
    rename_column: 1,
    drop_column: 1,
    comment: 3,
    expire: 1,
    evict: 1,
    clean: 1,
    merge: 2,
    rewrite: 1,
    expire_due: 2,
    statistics: 1,
    restart: 2,
  },
};
const ACTS = Object.keys(WEIGHTS) as (keyof typeof WEIGHTS)[];

const step: fc.Arbitrary<Step> = fc.record({
  writer: fc.nat(WRITERS - 1),
  act: fc.oneof(...ACTS.map((act) => ({ arbitrary: fc.constant(act), weight: WEIGHTS[act] }))),
  name: fc.constantFrom(...NAMES),
  to: fc.constantFrom(...NAMES),
  pick: fc.nat(1_000),
  rows: fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 3 }),
  looks: fc.boolean(),
  repeats: fc.nat(9).map((tenth) => tenth === 0),
});

const USUAL = { writer: 0, name: "a", to: "a", pick: 1, rows: [10, 20, 30], looks: true, repeats: false };

/** Every lake begins with its tables and some files, or most steps would find nothing to do. */
const FIRST = NAMES.flatMap((name): Step[] => [
  { ...USUAL, name, act: "create" },
  { ...USUAL, name, act: "append" },
]);

/**
 * A writer that looked before another replaced its table meets a conflict, whatever it does; one that looks again does
 * not.
 */
const COMMITS = ["append", "delete", "update", "overwrite", "compact", "drop_files", "add_column", "comment"] as const;
const CONFLICTS = COMMITS.map((act): [Step[]] => [
  [
    { ...USUAL, writer: 1, act: "evict" },
    { ...USUAL, act: "replace" },
    { ...USUAL, writer: 1, act, looks: false },
    { ...USUAL, act: "append" },
    { ...USUAL, writer: 1, act },
  ],
]);

/** With a reader's lease gone, what is old is due. */
const DUE: [Step[]] = [
  [
    { ...USUAL, act: "restart" },
    { ...USUAL, act: "expire_due", pick: 44 },
  ],
];
const EXAMPLES = [...CONFLICTS, DUE];

type Writer = Awaited<ReturnType<typeof newWriter>>;
/** `kept` is the oldest snapshot that the writer has read under its lease. */
type Side = { writer: Writer; base: number; kept: number; last?: { commit: () => Promise<unknown>; answer: unknown } };
type World = {
  lake: TestLake;
  model: LakeModel;
  versions: SeenVersions;
  writers: Side[];
  cleaned: Set<string>;
  nowMs: number;
};

describe("any interleaving of writers with stale bases, of compaction and of expiry", () => {
  it("leaves the lake that a plain model says it should, at every snapshot there is", async () => {
    const seen = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40, size: "max" }), async (steps) => {
        const lake = newLake();
        const writers = await Promise.all(Array.from({ length: WRITERS }, (_, at) => begin(lake, at)));
        for (const [key, value] of Object.entries(OPTIONS)) valueOf(await lake.catalog.setOption(key, value));
        const world: World = {
          ...{ lake, model: new LakeModel(), versions: new SeenVersions(lake) },
          ...{ writers, cleaned: new Set<string>(), nowMs: START },
        };
        for (const each of [...FIRST, ...steps]) {
          const outcome = await take(world, each);
          seen.set(`${each.act} ${outcome}`, (seen.get(`${each.act} ${outcome}`) ?? 0) + 1);
          if (outcome === "taken" || outcome === "done") await world.versions.look(pastOf(world, each.pick));
        }
        await audit(world);
        for (const id of world.model.snapshots.keys()) await world.versions.look(id);
      }),
      { numRuns: 40 + EXAMPLES.length, examples: EXAMPLES, endOnFailure: true },
    );
    for (const act of ["merge", "rewrite", "expire_due"])
      expect([act, (seen.get(`${act} taken`) ?? 0) > 0]).toEqual([act, true]);
    // The steps reach what they are for: each kind of commit is both taken and refused.
    for (const act of COMMITS) {
      expect([act, (seen.get(`${act} taken`) ?? 0) > 0, (seen.get(`${act} refused`) ?? 0) > 0]).toEqual([
        act,
        true,
        true,
      ]);
    }
  });
});

/** Files are about a thousand bytes: some fit together. */
const OPTIONS = { target_file_size: "3000", rewrite_delete_threshold: "0.5", expire_older_than: "30m" };

/** The newest snapshot, or now and then an older one that is kept. */
const pastOf = ({ model }: World, pick: number): number =>
  pick % 3 > 0 ? model.head : [...model.snapshots.keys()][pick % model.snapshots.size]!;

/** A writer whose lease holds for as long as it lives, by the clock of the steps. */
async function begin(lake: TestLake, at: number): Promise<Side> {
  const writer = await newWriter(lake, `writer ${at}`);
  await lake.catalog.renewLease(writer.token.lease, writer.token.fence, 2 * START - Date.now());
  return { writer, base: 0, kept: Infinity };
}

/** Reads the newest snapshot, and works from it. */
async function look({ lake, model }: World, side: Side): Promise<void> {
  side.base = model.head;
  side.kept = Math.min(side.kept, side.base);
  valueOf(await lake.catalog.plan(side.base, [], side.writer.token));
}

async function take(world: World, each: Step): Promise<string> {
  const { lake, model } = world;
  const side = world.writers[each.writer]!;
  world.nowMs += 1 + (each.pick % 7) * 1_000;
  if (each.act === "restart") {
    await lake.catalog.releaseLease(side.writer.token.lease, side.writer.token.fence);
    const { base } = side;
    Object.assign(side, await begin(lake, each.writer), { base, last: undefined });
    return "done";
  }
  if (each.looks) await look(world, side);
  if (each.act === "evict") {
    await lake.catalog.currentSnapshot();
    await evictDurableObject(lake.catalog);
    return "done";
  }
  if (each.act === "expire") return expire(world, each.pick);
  if (each.act === "clean") return clean(world);
  if (each.act === "expire_due") return expireDue(world, each.pick);
  if (each.act === "statistics") {
    expect(valueOf(await lake.catalog.makeStatisticsExact(null)).next).toBeNull();
    return "done";
  }
  if (each.repeats && side.last) {
    expect(await side.last.commit()).toMatchObject({
      ok: true,
      value: { ...(side.last.answer as object), replayed: true },
    });
    return "repeated";
  }
  const isPlanned = each.act === "merge" || each.act === "rewrite";
  if (isPlanned) await look(world, side);
  const act = isPlanned ? await planned(world, each, side.writer) : actOf(world, each, side.writer, side.base);
  if (!act) return "moot";
  const commit = await commitOf(lake, act, side.writer, side.base);
  if (!commit) return "moot";
  const send = () => side.writer.commit(commit.changes, commit, world.nowMs);
  const answer = await send();
  const isTaken = model.commit(act, side.base, world.nowMs);
  expect({ act, base: side.base, head: model.head, answer }).toMatchObject({
    answer: isTaken
      ? { ok: true, value: { snapshotId: model.head } }
      : { ok: false, refusal: { code: "resource_conflict" } },
  });
  if (!isTaken) return "refused";
  side.last = { commit: send, answer: { snapshotId: model.head } };
  return "taken";
}

const file = (writer: Writer, name: string, rows: number): ModelFile => ({
  path: writer.file("main", name, rows).path,
  rows,
  deletes: null,
});

/**
 * What the writer would do, knowing the lake as it was at its base; undefined where there is nothing of the kind to do.
 */
function actOf(
  { model, nowMs }: World,
  { act, name, to, pick, rows }: Step,
  writer: Writer,
  base: number,
): Act | undefined {
  const snapshot = model.snapshots.get(base);
  if (act === "create" || act === "replace") return { act: "create", name, replace: act === "replace" };
  const table = snapshot?.tables.get(name);
  if (!snapshot || !table) return undefined;
  const added = rows.map((count) => file(writer, FOLDER, count));
  const chosen = table.files.filter((_, index) => (pick >> index) % 2 === 1);
  switch (act) {
    case "drop":
      return { act, name };
    case "rename":
      return { act, name, to };
    case "add_column":
    case "drop_column":
      return act === "drop_column" && table.columns.size < 2 ? undefined : { act, name };
    case "rename_column":
      return { act, name, to: `r${pick}` };
    case "comment":
      return {
        act,
        name,
        onColumn: pick % 2 === 0,
        comment: pick % 5 === 0 ? null : pick % 5 === 2 ? "again" : `said at ${nowMs}`,
      };
    case "append":
    case "overwrite":
      return { act, name, files: act === "overwrite" && pick % 5 === 0 ? [] : added };
    case "delete":
    case "update": {
      const thinned = chosen.filter((each) => (each.deletes?.rows ?? 0) < each.rows);
      if (thinned.length === 0) return undefined;
      const more = (each: ModelFile) =>
        (each.deletes?.rows ?? 0) + 1 + (pick % (each.rows - (each.deletes?.rows ?? 0)));
      return {
        act: "delete",
        name,
        deletes: thinned.map((each) => ({
          path: each.path,
          file: { path: file(writer, FOLDER, 1).path, rows: more(each) },
        })),
        added: act === "update" ? added : [],
      };
    }
    case "drop_files":
      return chosen.length === 0 ? undefined : { act, name, paths: chosen.map(({ path }) => path) };
    case "compact": {
      const left = chosen.reduce((sum, each) => sum + each.rows - (each.deletes?.rows ?? 0), 0);
      return chosen.length === 0
        ? undefined
        : { act, name, sources: chosen, files: left === 0 ? [] : [file(writer, FOLDER, left)] };
    }
    default:
      return undefined;
  }
}

/** One of the compactions that the catalog itself plans, as its engine would carry it out. */
async function planned({ lake, model, nowMs }: World, { act, pick }: Step, writer: Writer): Promise<Act | undefined> {
  const step = act === "merge" ? "merge" : "rewrite";
  const plan = valueOf(await lake.catalog.planCompaction(writer.token, { step }, nowMs));
  expect([plan.snapshotId, plan.next]).toEqual([model.head, null]);
  const group = plan.groups[pick % Math.max(1, plan.groups.length)];
  if (!group) return undefined;
  const paths = group.files.map(({ path }) => path);
  const sources = model.current.get(group.name)!.files.filter(({ path }) => paths.includes(path));
  expect(sources.map(({ path, rows, deletes }) => [path, rows, deletes?.path])).toEqual(
    group.files.map(({ path, rows, deletes }) => [path, rows, deletes?.path]),
  );
  const left = sources.reduce((sum, { rows, deletes }) => sum + rows - (deletes?.rows ?? 0), 0);
  const files = left === 0 ? [] : [file(writer, FOLDER, left)];
  return { act: "compact", name: group.name, sources, files };
}

/** Both rules and the live bases, told once more from the model. */
async function expireDue(world: World, pick: number): Promise<string> {
  const { lake, model, writers } = world;
  world.nowMs += (pick % 45) * 60_000;
  const retained = 1 + (pick % 6);
  valueOf(await lake.catalog.setOption("retain_last", String(retained)));
  const ids = [...model.snapshots.keys()].sort((left, right) => left - right);
  const old = ids.filter((id) => model.snapshots.get(id)!.timeMs < world.nowMs - 30 * 60_000);
  const kept = Math.min(old.at(-1) ?? 0, ids.at(-retained) ?? 0, ...writers.map((side) => side.kept));
  const gone = ids.filter((id) => id < kept);
  expect(await lake.catalog.expireDue(world.nowMs)).toMatchObject({ snapshots: gone.length, isMore: false });
  model.expire(gone);
  return gone.length > 0 ? "taken" : "moot";
}

/** Uploads learn a table's folder from the catalog; what a writer makes up here is put where the table's files go. */
const FOLDER = "folder";

async function commitOf(lake: TestLake, act: Act, writer: Writer, base: number): Promise<LakeCommit | undefined> {
  const [folder = ""] = valueOf(await lake.catalog.uploadFolders(writer.token, [{ schema: "main", name: act.name }]));
  const place = (each: { path: string }) => (each.path = each.path.replace(/^.*\//, folder));
  if ("files" in act) act.files.forEach(place);
  if (act.act === "delete") [...act.added, ...act.deletes.map((each) => each.file)].forEach(place);
  const ids = new Map(
    (
      await rowsOf(
        lake,
        "SELECT data_file_id AS id, path, NULL AS of FROM ducklake_data_file UNION ALL SELECT delete_file_id, path, data_file_id FROM ducklake_delete_file",
      )
    ).map(({ id, path }) => [path, Number(id)]),
  );
  const idOf = (path: string) => ids.get(path.slice(path.lastIndexOf("/") + 1)) ?? -1;
  const columns = await rowsOf(
    lake,
    `SELECT column_id AS id FROM ducklake_column c JOIN ducklake_table t USING (table_id) WHERE t.table_name = '${act.name}' AND t.end_snapshot IS NULL ORDER BY c.column_id`,
  );
  const live = await rowsOf(
    lake,
    `SELECT column_id AS id FROM ducklake_column c JOIN ducklake_table t USING (table_id) WHERE t.table_name = '${act.name}' AND t.end_snapshot IS NULL AND c.end_snapshot IS NULL ORDER BY c.column_order`,
  );
  const last = Number(live.at(-1)?.id ?? 1);
  // A writer of a stale base that would drop another's column is refused by the conflict; alone it must stay possible.
  if (act.act === "drop_column" && live.length < 2) return undefined;
  const on = { schema: "main", name: act.name };
  const data = ({ path, rows }: ModelFile): NewDataFile => ({
    path,
    bytes: 1_000 + rows,
    footerBytes: 100,
    rows,
    statistics: live.some(({ id }) => id === 1)
      ? [statistics(1, rows, { min: String(rows), max: String(rows * 2) })]
      : [],
  });
  const changes: Record<Act["act"], () => LakeChange[]> = {
    create: () => [
      { kind: "create_table", ...on, columns: [column(1, "n")], orReplace: act.act === "create" && act.replace },
    ],
    drop: () => [{ kind: "drop_table", ...on }],
    rename: () => [{ kind: "rename_table", ...on, to: act.act === "rename" ? act.to : "" }],
    add_column: () => [
      {
        kind: "alter_table",
        ...on,
        changes: [
          {
            kind: "add_column",
            column: column(
              1 + Math.max(0, ...columns.map(({ id }) => Number(id))),
              `c${1 + Math.max(0, ...columns.map(({ id }) => Number(id)))}`,
            ),
          },
        ],
      },
    ],
    rename_column: () => [
      {
        kind: "alter_table",
        ...on,
        changes: [{ kind: "rename_column", id: last, to: act.act === "rename_column" ? act.to : "" }],
      },
    ],
    drop_column: () => [{ kind: "alter_table", ...on, changes: [{ kind: "drop_column", id: last }] }],
    comment: () =>
      act.act === "comment"
        ? [{ kind: "set_comments", ...on, comments: [{ columnId: act.onColumn ? last : null, comment: act.comment }] }]
        : [],
    append: () => [{ kind: "append", ...on, files: act.act === "append" ? act.files.map(data) : [] }],
    overwrite: () => [{ kind: "overwrite", ...on, files: act.act === "overwrite" ? act.files.map(data) : [] }],
    delete: () => {
      if (act.act !== "delete") return [];
      const deletes = act.deletes.map(({ path, file }) => ({
        dataFileId: idOf(path),
        file: { ...file, bytes: 100, footerBytes: 10 },
      }));
      const change: LakeChange = { kind: "delete", ...on, deletes };
      return act.added.length > 0 ? [change, { kind: "append", ...on, files: act.added.map(data) }] : [change];
    },
    drop_files: () => [{ kind: "drop_files", ...on, dataFileIds: act.act === "drop_files" ? act.paths.map(idOf) : [] }],
    compact: () => {
      if (act.act !== "compact") return [];
      const deleteFileIds = act.sources.flatMap(({ deletes }) => (deletes ? [idOf(deletes.path)] : []));
      return [
        {
          kind: "compact",
          ...on,
          dataFileIds: act.sources.map(({ path }) => idOf(path)),
          deleteFileIds,
          files: act.files.map((each) => ({ ...data(each), statistics: [] })),
        },
      ];
    },
  };
  return { key: newId(), author: null, message: null, baseSnapshotId: base, changes: changes[act.act]() };
}

async function expire({ lake, model, nowMs }: World, pick: number): Promise<string> {
  const ids = [...model.snapshots.keys()];
  // Now and then out of the middle, as the specification allows; mostly from the start.
  const gone = pick % 4 === 0 ? ids.filter((id) => (id + pick) % 3 === 0) : ids.slice(0, pick % ids.length);
  const { snapshotIds } = await lake.catalog.expireSnapshots({ snapshotIds: gone }, nowMs);
  expect(snapshotIds).toEqual(gone.filter((id) => id !== model.head).sort((left, right) => left - right));
  model.expire(gone);
  return "done";
}

async function clean({ lake, model, cleaned, nowMs }: World): Promise<string> {
  const due = await lake.catalog.listDueFiles(nowMs - 10_000, 100);
  const readable = model.readable();
  for (const { path } of due) {
    expect(readable.has(path)).toBe(false);
    cleaned.add(path);
  }
  expect(await lake.catalog.confirmDeleted(due.map(({ id }) => id))).toBe(due.length);
  return "done";
}
