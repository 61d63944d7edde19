// The roles of those who read the lake, kept by their digest: a statement's token names the digest alone.

import { indexAccess, type AccessIndex } from "../../../kernel/access/decide-table.ts";
import type { AccessRoles } from "../../../kernel/access/access.ts";
import { LruMap } from "../../../kernel/text/lru-map.ts";
import { foldName } from "../../../kernel/text/fold-name.ts";
import { LAKE_CATALOG_LIMITS } from "../format/limits.ts";
import { accept, refuse, type Answer } from "../../core/answer.ts";
import type { ReaderName, Reader } from "./readers.ts";

/** A row of SQLite holds 2 MB. */
const PART_CHARACTERS = 1_000_000;
/** Within this no use is noted again, so that statements write nothing. */
const USE_NOTED_MS = 3_600_000;
/** How many that nobody used one that is new sweeps out: more than one, so that they cannot pile up. */
const FORGOTTEN_MAX = 10;
/** Characters of all roles that are held ready, as text. */
const READY_CHARACTERS_MAX = 16 * 1024 * 1024;

export const ACCESS_TABLES = [
  "CREATE TABLE fjord_access (digest TEXT PRIMARY KEY, used_at_ms INTEGER NOT NULL)",
  "CREATE INDEX fjord_access_use ON fjord_access (used_at_ms)",
  "CREATE TABLE fjord_access_roles (digest TEXT NOT NULL, part INTEGER NOT NULL, roles TEXT NOT NULL, " +
    "PRIMARY KEY (digest, part))",
];

const escape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

export class KeptAccess {
  readonly #ready = new LruMap<{ index: AccessIndex; characters: number }>(
    READY_CHARACTERS_MAX,
    ({ characters }) => characters,
  );

  /** Whether the roles of this digest are known; they stay so for a day from here on. */
  use({ sql }: DurableObjectStorage, digest: string, nowMs: number): boolean {
    const [kept] = sql
      .exec<{ usedAtMs: number }>("SELECT used_at_ms AS usedAtMs FROM fjord_access WHERE digest = ?", digest)
      .toArray();
    if (kept && kept.usedAtMs < nowMs - USE_NOTED_MS)
      sql.exec("UPDATE fjord_access SET used_at_ms = ? WHERE digest = ?", nowMs, digest);
    return kept !== undefined;
  }

  /** What is known already stays: equal digests mean equal roles. */
  keep(storage: DurableObjectStorage, digest: string, roles: AccessRoles, nowMs: number): void {
    storage.transactionSync(() => {
      const { sql } = storage;
      this.#forgetUnused(sql, nowMs);
      if (this.use(storage, digest, nowMs)) return;
      sql.exec("INSERT INTO fjord_access (digest, used_at_ms) VALUES (?, ?)", digest, nowMs);
      // The text is ASCII alone, so that no cut falls within a character.
      const text = JSON.stringify(roles).replace(/[^\0-\x7f]/g, escape);
      for (let part = 0; part * PART_CHARACTERS < text.length; part++)
        sql.exec(
          "INSERT INTO fjord_access_roles (digest, part, roles) VALUES (?, ?, ?)",
          digest,
          part,
          text.slice(part * PART_CHARACTERS, (part + 1) * PART_CHARACTERS),
        );
    });
  }

  /** The reader of this name. Refuses a digest whose roles are not known. */
  find(sql: SqlStorage, reader: ReaderName): Answer<Reader> {
    if (reader === "everything") return accept("everything");
    const ready = this.#ready.get(reader);
    if (ready) return accept(ready.index);
    const text = sql
      .exec<{ roles: string }>("SELECT roles FROM fjord_access_roles WHERE digest = ? ORDER BY part", reader)
      .toArray()
      .map(({ roles }) => roles)
      .join("");
    if (text === "") return refuse("precondition_failed", "What the caller may read has changed; send it again.");
    const index = indexAccess(JSON.parse(text) as AccessRoles, foldName);
    this.#ready.set(reader, { index, characters: text.length });
    return accept(index);
  }

  /** Forgets what is held in memory, as if the object had just started. */
  clear(): void {
    this.#ready.clear();
  }

  #forgetUnused(sql: SqlStorage, nowMs: number): void {
    const unused = sql
      .exec<{ digest: string }>(
        "SELECT digest FROM fjord_access WHERE used_at_ms < ? ORDER BY used_at_ms LIMIT ?",
        nowMs - LAKE_CATALOG_LIMITS.accessKeptMs,
        FORGOTTEN_MAX,
      )
      .toArray();
    for (const { digest } of unused) {
      this.#ready.delete(digest);
      sql.exec("DELETE FROM fjord_access_roles WHERE digest = ?", digest);
      sql.exec("DELETE FROM fjord_access WHERE digest = ?", digest);
    }
  }
}
