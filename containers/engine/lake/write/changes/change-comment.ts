// COMMENT ON TABLE and COMMENT ON COLUMN, and the comments of definitions: read, and as a change of the catalog.

import { COMMENT_CHARACTERS_MAX, type LakeChange } from "../../../../../kernel/lake/commit.ts";
import type { LakeTableName } from "../../../../../kernel/lake/lake.ts";
import { parseCommentText } from "../parse/comment-text.ts";
import type { TokenCursor } from "../parse/token-cursor.ts";
import type { WriteStatement } from "../parse/statement.ts";
import { needColumn, needTable, sqlError, tableName } from "../table-names.ts";
import type { WriteTask, Written } from "../task.ts";

type Comment = Extract<WriteStatement, { kind: "comment" }>;

/** `LAKE.schema.table.column`. */
const COLUMN_PARTS_MAX = 4;

export function parseComment(cursor: TokenCursor): Comment {
  cursor.expect("on");
  const isOfColumn = cursor.accept("column");
  if (!isOfColumn && !cursor.accept("table")) cursor.fail("Comments are on tables and columns");
  const parts = isOfColumn ? cursor.name("the column's name", COLUMN_PARTS_MAX) : cursor.name("the table's name");
  if (isOfColumn && parts.length < 2) cursor.fail("The column's name needs its table's before it");
  cursor.expect("is");
  const comment = readText(cursor);
  return {
    kind: "comment",
    table: isOfColumn ? parts.slice(0, -1) : parts,
    column: isOfColumn ? parts.at(-1) : undefined,
    comment,
  };
}

function readText(cursor: TokenCursor): string | null {
  const comment = cursor.accept("null") ? null : parseCommentText(cursor, ", or NULL");
  cursor.expectEnd();
  return comment;
}

export async function changeComment(
  { description }: WriteTask,
  { table: parts, column, comment }: Comment,
): Promise<Written> {
  const table = needTable(description, tableName(parts, description));
  requireComment(comment);
  const columnId = column === undefined ? null : needColumn(table, column).id;
  const { schema, name, tableId } = table;
  return {
    changes: [{ kind: "set_comments", schema, name, expect: { tableId }, comments: [{ columnId, comment }] }],
    answer: "altered",
  };
}

/** The comments that a definition has, as a change that comes after the one which makes what they are on. */
export function commentsOfNew(
  table: LakeTableName,
  comments: readonly { columnId: number | null; comment: string | null }[],
): LakeChange[] {
  const said = comments.filter(({ comment }) => comment !== null);
  said.forEach(({ comment }) => requireComment(comment));
  return said.length > 0 ? [{ kind: "set_comments", ...table, comments: said }] : [];
}

function requireComment(comment: string | null): void {
  if (comment !== null && comment.length > COMMENT_CHARACTERS_MAX)
    throw sqlError(`A comment has at most ${COMMENT_CHARACTERS_MAX} characters.`);
  if (comment?.includes("\0")) throw sqlError("A comment can't hold a zero character.");
}
