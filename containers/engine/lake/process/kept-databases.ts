// The locked databases of a query process: a blank one opened ahead, and some that are kept for the next statement that
// means the same files in the same views.

import { LruMap } from "../../../../kernel/text/lru-map.ts";
import type { EngineFailure } from "../../../../kernel/wire/engine.ts";
import type { LockedDatabase } from "./locked-database.ts";
import type { Shape } from "./results/described-statement.ts";

/** Databases that are kept; each idle one takes some megabytes. */
const KEPT_MAX = 4;
/** Characters of the texts whose shapes are known, per database. */
const SHAPE_CHARACTERS_MAX = 1_000_000;
/** A blank database is opened once no order has come for this long: opening takes cores from a running statement. */
const IDLE_MS = 20;

export type KeptDatabase = { key: string | undefined; database: LockedDatabase; shapes: KnownShapes };

/** Shapes of statements, by what they depend on. They hold as long as the database does. */
export class KnownShapes {
  readonly #shapes = new LruMap<{ shape: Shape; characters: number }>(
    SHAPE_CHARACTERS_MAX,
    ({ characters }) => characters,
  );

  get(key: string): Shape | undefined {
    return this.#shapes.get(key)?.shape;
  }

  set(key: string, shape: Shape): void {
    const ofColumns = shape.columns.reduce((sum, { name, type }) => sum + name.length + 2 * type.length, 0);
    this.#shapes.set(key, { shape, characters: key.length + ofColumns });
  }
}

export class KeptDatabases {
  readonly #open: () => Promise<LockedDatabase>;
  /** Least recently used first. */
  readonly #kept = new Map<string, KeptDatabase>();
  #blank: Promise<LockedDatabase> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(open: () => Promise<LockedDatabase>) {
    this.#open = open;
  }

  get keys(): string[] {
    return [...this.#kept.keys()];
  }

  /** Takes out the database that is kept under `key`. */
  take(key: string | undefined): KeptDatabase | undefined {
    const kept = key === undefined ? undefined : this.#kept.get(key);
    if (kept) this.#kept.delete(kept.key!);
    return kept;
  }

  /** A blank database, which belongs to the caller from now on. */
  async takeBlank(): Promise<LockedDatabase> {
    const database = await this.blank();
    this.#blank = undefined;
    return database;
  }

  /** The blank one, before any SQL of a tenant has run in it. */
  blank(): Promise<LockedDatabase> {
    clearTimeout(this.#timer);
    if (this.#blank) return this.#blank;
    const blank = (this.#blank = this.#open());
    // The next statement must not get a database that could not be opened.
    blank.catch(() => (this.#blank = undefined));
    return blank;
  }

  keep(kept: KeptDatabase & { key: string }): void {
    this.#kept.set(kept.key, kept);
    while (this.#kept.size > KEPT_MAX) this.dropOldest();
  }

  /** Closes the oldest database. Answers whether there was one. */
  dropOldest(): boolean {
    const [oldest] = this.#kept.values();
    if (!oldest) return false;
    this.#kept.delete(oldest.key!);
    oldest.database.close();
    return true;
  }

  /** Called when a statement has ended. */
  openAhead(): void {
    clearTimeout(this.#timer);
    for (const { database } of this.#kept.values()) database.connectAhead();
    if (!this.#blank) this.#timer = setTimeout(() => void this.blank().catch(() => undefined), IDLE_MS);
  }

  /** Called when an order comes. */
  pause(): void {
    clearTimeout(this.#timer);
  }
}

/** The failures of a statement that raise no doubt about the database it ran in. */
const PLAIN_ERROR =
  /^(Parser|Binder|Catalog|Conversion|Out of Range|Invalid Input|Mismatch Type|Not implemented) Error/;

/** Whether a database can be used again after a statement that failed like this. */
export const isHarmless = ({ code, message }: EngineFailure): boolean =>
  code === "statement_refused" || (code === "sql_error" && PLAIN_ERROR.test(message));
