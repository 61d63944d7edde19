// A lake as plain data: what a catalog should hold, and which commits it should take. Written from the specification's
// matrix alone.

export type ModelFile = { path: string; rows: number; deletes: { path: string; rows: number } | null };
export type ModelTable = {
  uid: number;
  columns: Map<number, string>;
  columnsEver: number /** By column, the table's own under null. */;
  comments: Map<number | null, string>;
  files: ModelFile[];
  rowsEver: number;
};
export type ModelSnapshot = { tables: Map<string, ModelTable>; timeMs: number };

type Event = {
  snapshot: number;
  uid: number;
  did: "created" | "dropped" | "altered" | "inserted" | "deleted" | "compacted";
  name: string;
  files: string[];
};

export type Act =
  | { act: "create"; name: string; replace: boolean }
  | { act: "drop"; name: string }
  | { act: "rename"; name: string; to: string }
  | { act: "add_column"; name: string }
  | { act: "rename_column"; name: string; to: string }
  | { act: "drop_column"; name: string }
  | { act: "comment"; name: string; onColumn: boolean; comment: string | null }
  | { act: "append"; name: string; files: ModelFile[] }
  | { act: "overwrite"; name: string; files: ModelFile[] }
  | {
      act: "delete";
      name: string;
      deletes: { path: string; file: { path: string; rows: number } }[];
      added: ModelFile[];
    }
  | { act: "drop_files"; name: string; paths: string[] }
  | { act: "compact"; name: string; sources: ModelFile[]; files: ModelFile[] };

export class LakeModel {
  /** By snapshot id; one that has expired is missing. */
  readonly snapshots = new Map<number, ModelSnapshot>([[0, { tables: new Map(), timeMs: 0 }]]);
  readonly everUsed = new Set<string>();
  head = 0;
  readonly #events: Event[] = [];
  #uids = 0;

  get current(): Map<string, ModelTable> {
    return this.snapshots.get(this.head)!.tables;
  }

  expire(ids: readonly number[]): void {
    for (const id of ids) if (id !== this.head) this.snapshots.delete(id);
  }

  /** Paths that a snapshot still there reads. */
  readable(): Set<string> {
    const files = [...this.snapshots.values()].flatMap(({ tables }) =>
      [...tables.values()].flatMap((table) => table.files),
    );
    return new Set(files.flatMap(({ path, deletes }) => (deletes ? [path, deletes.path] : [path])));
  }

  /** Takes a commit made from `base`, or says that it must be refused. */
  commit(act: Act, base: number, timeMs: number): boolean {
    if (!this.#canJudge(base) || this.#conflicts(act, base)) return false;
    if (this.#saysNothingNew(act)) return true;
    const tables = new Map(
      [...this.current].map(([name, table]) => [
        name,
        {
          ...table,
          columns: new Map(table.columns),
          comments: new Map(table.comments),
          files: table.files.map((file) => ({ ...file })),
        },
      ]),
    );
    this.head++;
    this.#apply(act, tables);
    this.snapshots.set(this.head, { tables, timeMs });
    return true;
  }

  /** Such a commit makes no snapshot. */
  #saysNothingNew(act: Act): boolean {
    const table = this.current.get(act.name);
    return (
      act.act === "comment" &&
      table !== undefined &&
      (table.comments.get(commented(act, table)) ?? null) === act.comment
    );
  }

  #canJudge(base: number): boolean {
    for (let id = base; id <= this.head; id++) if (!this.snapshots.has(id)) return false;
    return true;
  }

  #since(base: number, uid: number, ...kinds: Event["did"][]): boolean {
    return this.#events.some((event) => event.snapshot > base && event.uid === uid && kinds.includes(event.did));
  }

  #wasCreatedSince(base: number, name: string): boolean {
    return this.#events.some((event) => event.snapshot > base && event.did === "created" && event.name === name);
  }

  #conflicts(act: Act, base: number): boolean {
    const table = this.current.get(act.name);
    if (act.act === "create") {
      if (this.#wasCreatedSince(base, act.name) || (table && !act.replace)) return true;
      return table !== undefined && this.snapshots.get(base)!.tables.get(act.name)?.uid !== table.uid;
    }
    const meant = this.snapshots.get(base)!.tables.get(act.name);
    if (!table || meant?.uid !== table.uid || this.#wasCreatedSince(base, act.name)) return true;
    const since = (...kinds: Event["did"][]) => this.#since(base, table.uid, ...kinds);
    const touched = (paths: string[]) =>
      this.#events.some((event) => event.snapshot > base && event.files.some((path) => paths.includes(path)));
    switch (act.act) {
      case "drop":
        return false;
      case "rename":
        return (
          since("altered") || (act.to !== act.name && this.current.has(act.to)) || this.#wasCreatedSince(base, act.to)
        );
      case "add_column":
      case "rename_column":
      case "drop_column":
      case "comment":
        return since("altered");
      case "append":
        return since("altered", "deleted");
      case "overwrite":
        return since("altered", "deleted", "inserted", "compacted");
      case "delete":
        return (
          since("altered", "inserted", "compacted") ||
          touched(act.deletes.map(({ path }) => path)) ||
          (act.added.length > 0 && since("deleted"))
        );
      case "drop_files":
        return since("altered", "inserted", "compacted") || touched(act.paths);
      case "compact":
        return touched(act.sources.map(({ path }) => path));
    }
  }

  #apply(act: Act, tables: Map<string, ModelTable>): void {
    const note = (uid: number, did: Event["did"], files: string[] = []) =>
      void this.#events.push({ snapshot: this.head, uid, did, name: act.name, files });
    const take = (files: readonly ModelFile[]) => files.forEach(({ path }) => this.everUsed.add(path));
    if (act.act === "create") {
      const uid = ++this.#uids;
      tables.set(act.name, {
        uid,
        columns: new Map([[1, "n"]]),
        columnsEver: 1,
        comments: new Map(),
        files: [],
        rowsEver: 0,
      });
      return note(uid, "created");
    }
    const table = tables.get(act.name)!;
    const add = (files: readonly ModelFile[]) => {
      table.files.push(...files.map((file) => ({ ...file })));
      table.rowsEver += files.reduce((sum, { rows }) => sum + rows, 0);
      take(files);
      if (files.length > 0) note(table.uid, "inserted");
    };
    const last = [...table.columns.keys()].at(-1)!;
    switch (act.act) {
      case "drop":
        return void tables.delete(act.name);
      case "rename":
        tables.delete(act.name);
        tables.set(act.to, table);
        return note(table.uid, "altered");
      case "add_column":
        table.columns.set(++table.columnsEver, `c${table.columnsEver}`);
        return note(table.uid, "altered");
      case "rename_column":
        table.columns.set(last, act.to);
        return note(table.uid, "altered");
      case "drop_column":
        table.columns.delete(last);
        table.comments.delete(last);
        return note(table.uid, "altered");
      case "comment":
        if (act.comment === null) table.comments.delete(commented(act, table));
        else table.comments.set(commented(act, table), act.comment);
        return note(table.uid, "altered");
      case "append":
        return add(act.files);
      case "overwrite":
        if (table.files.length > 0)
          note(
            table.uid,
            "deleted",
            table.files.map(({ path }) => path),
          );
        table.files = [];
        return add(act.files);
      case "delete":
        for (const { path, file } of act.deletes) table.files.find((each) => each.path === path)!.deletes = file;
        act.deletes.forEach(({ file }) => this.everUsed.add(file.path));
        note(
          table.uid,
          "deleted",
          act.deletes.map(({ path }) => path),
        );
        return add(act.added);
      case "drop_files":
        table.files = table.files.filter(({ path }) => !act.paths.includes(path));
        return note(table.uid, "deleted", act.paths);
      case "compact": {
        const gone = act.sources.map(({ path }) => path);
        const at = table.files.findIndex(({ path }) => gone.includes(path));
        table.files = [
          ...table.files.slice(0, at),
          ...act.files,
          ...table.files.slice(at).filter(({ path }) => !gone.includes(path)),
        ];
        take(act.files);
        return note(table.uid, "compacted", gone);
      }
    }
  }
}

const commented = ({ onColumn }: Extract<Act, { act: "comment" }>, { columns }: ModelTable): number | null =>
  onColumn ? [...columns.keys()].at(-1)! : null;
