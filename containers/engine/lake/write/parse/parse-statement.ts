// The statements that write, told apart by their first words.

import { Failure } from "../../../core/failure.ts";
import { SQL_CHARACTERS_MAX, TOKENS_MAX } from "../../sql/gate.ts";
import { countTokens, isClosed, tokensOf } from "../../sql/sql-text.ts";
import { readComment } from "../changes/change-comment.ts";
import { Cursor, refuseWrite, type Piece } from "./token-cursor.ts";
import { readAlter, readCreate, readDrop } from "./parse-definitions.ts";
import { readMerge } from "./parse-merge.ts";
import { readDelete, readInsert, readUpdate } from "./parse-rows.ts";
import type { WriteStatement } from "./statement.ts";

const ROWS = { insert: readInsert, update: readUpdate, delete: readDelete, merge: readMerge } as const;
const ROW_VERBS = Object.keys(ROWS) as Array<keyof typeof ROWS>;
const VERBS = /^(?:with|insert|update|delete|merge|create|drop|alter|truncate|comment)$/i;

/** Undefined for a statement that does not write, or does not begin like one that does. Throws `statement_refused`. */
export function readWrite(sql: string): WriteStatement | undefined {
  const first = tokensOf(sql).next().value;
  if (!first || !VERBS.test(sql.slice(first.at, first.end))) return undefined;
  if (sql.length > SQL_CHARACTERS_MAX || countTokens(sql, TOKENS_MAX) > TOKENS_MAX) {
    refuseWrite(
      `The statement is too long: it may have ${SQL_CHARACTERS_MAX} characters, and ${TOKENS_MAX} words, numbers and signs. Send many rows in several statements, or as a file of the drive: INSERT INTO … SELECT * FROM read_csv('gs://…').`,
    );
  }
  const cursor = Cursor.over(sql);
  if (!isClosed(sql)) refuseWrite("A comment or a quoted text at the statement's end is never closed.");
  const ctes = cursor.sees("with") ? readCtes(cursor) : undefined;
  if (cursor.sees("with")) return undefined;
  for (const each of ROW_VERBS) if (cursor.takes(each)) return ROWS[each](cursor, ctes);
  if (cursor.takes("create")) return readCreate(cursor);
  if (cursor.takes("drop")) return readDrop(cursor);
  if (cursor.takes("alter")) return readAlter(cursor);
  if (cursor.takes("comment")) return readComment(cursor);
  cursor.needs("truncate");
  cursor.takes("table");
  const table = cursor.name("the table's name");
  cursor.ends();
  return { kind: "truncate", table };
}

/** What stands before the verb; undefined, with the cursor where it was, before a verb that does not write. */
function readCtes(cursor: Cursor): Piece | undefined {
  const from = cursor.mark;
  try {
    while (cursor.seeks(...ROW_VERBS)) {
      // A common table expression may have a verb's name; the statement's verb comes after one.
      if (cursor.follows(")")) return cursor.since(from);
      cursor.pass();
    }
  } catch (error) {
    // What is wrong with a SELECT is DuckDB's to say.
    if (!(error instanceof Failure)) throw error;
  }
  cursor.returnTo(from);
  return undefined;
}
