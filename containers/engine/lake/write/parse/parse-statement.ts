// The statements that write, distinguished by their first words.

import { isWriteVerb } from "../../../../../kernel/text/write-verbs.ts";
import { Failure } from "../../../core/failure.ts";
import { LakeText, SQL_CHARACTERS_MAX, TOKENS_MAX, tokensOf } from "../../sql/sql-text.ts";
import { parseComment } from "../changes/change-comment.ts";
import { TokenCursor, refuseWrite, type Piece } from "./token-cursor.ts";
import { parseAlter, parseCreate, parseDrop } from "./parse-definitions.ts";
import { parseMerge } from "./parse-merge.ts";
import { parseDelete, parseInsert, parseUpdate } from "./parse-rows.ts";
import type { WriteStatement } from "./statement.ts";

const ROWS = { insert: parseInsert, update: parseUpdate, delete: parseDelete, merge: parseMerge } as const;
const ROW_VERBS = Object.keys(ROWS) as Array<keyof typeof ROWS>;

/** Undefined for a statement that does not write, or does not begin like one that does. Throws `statement_refused`. */
export function parseWrite(sql: string): WriteStatement | undefined {
  const first = tokensOf(sql).next().value;
  if (!first || !isWriteVerb(first.text)) return undefined;
  const text = sql.length > SQL_CHARACTERS_MAX ? undefined : LakeText.read(sql, TOKENS_MAX);
  if (!text)
    return refuseWrite(
      `The statement is too long: it may have ${SQL_CHARACTERS_MAX} characters, and ${TOKENS_MAX} words, numbers ` +
        "and signs. Send many rows in several statements, or as a file of the drive: INSERT INTO … SELECT * FROM " +
        "read_csv('gs://…').",
    );
  const cursor = TokenCursor.over(text);
  if (!text.isClosed) refuseWrite("A comment or a quoted text at the statement's end is never closed.");
  const ctes = cursor.isAt("with") ? parseCtes(cursor) : undefined;
  if (cursor.isAt("with")) return undefined;
  for (const each of ROW_VERBS) if (cursor.accept(each)) return ROWS[each](cursor, ctes);
  if (cursor.accept("create")) return parseCreate(cursor);
  if (cursor.accept("drop")) return parseDrop(cursor);
  if (cursor.accept("alter")) return parseAlter(cursor);
  if (cursor.accept("comment")) return parseComment(cursor);
  cursor.expect("truncate");
  cursor.accept("table");
  const table = cursor.name("the table's name");
  cursor.expectEnd();
  return { kind: "truncate", table };
}

/** The clause before the verb; undefined, with the cursor where it was, before a verb that does not write. */
function parseCtes(cursor: TokenCursor): Piece | undefined {
  const from = cursor.position;
  try {
    while (cursor.advanceTo(...ROW_VERBS)) {
      // A common table expression may have a verb's name; the statement's verb comes after one.
      if (cursor.follows(")")) return cursor.since(from);
      cursor.skip();
    }
  } catch (error) {
    // An error in a SELECT is reported by DuckDB.
    if (!(error instanceof Failure)) throw error;
  }
  cursor.returnTo(from);
  return undefined;
}
