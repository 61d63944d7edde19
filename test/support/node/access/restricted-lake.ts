// A lake of which one caller sees a part, and its twin: the same lake from which all that is hidden was deleted. Hidden
// values, names of tables and of columns are canaries.

import type { Failure } from "../../../../containers/engine/core/failure.ts";
import type { ProfileRequest } from "../../../../kernel/wire/engine.ts";
import { profileColumn } from "../../../../containers/engine/lake/profile.ts";
import type { LakeColumn } from "../../../../kernel/lake/lake.ts";
import { quoteIdentifier } from "../../../../containers/engine/duckdb/quoting.ts";
import { duckdbType } from "../../../../containers/engine/parquet/lake-types.ts";
import { TestLake, type StatementOptions } from "../lake/test-lake.ts";
import { ROLES, TABLES, type TableSpec } from "./restricted-tables.ts";

const FILES = 3;
const MEMBER = "member";

export type Outcome = { failure: { code: string; message: string; position?: number } } | { document: unknown };

export class RestrictedLake {
  readonly #whole: TestLake;
  readonly #twin: TestLake;
  #cold = 0;

  private constructor(whole: TestLake, twin: TestLake) {
    this.#whole = whole;
    this.#twin = twin;
  }

  static async open(): Promise<RestrictedLake> {
    const [whole, twin] = [await TestLake.open(), await TestLake.open()];
    for (const table of TABLES) {
      await addTable(whole, table, { where: "true", cells: {} });
      if (table.seen) await addTable(twin, table, table.seen);
    }
    whole.platform.roles.set(MEMBER, ROLES);
    return new RestrictedLake(whole, twin);
  }

  async close(): Promise<void> {
    await this.#whole.close();
    await this.#twin.close();
  }

  /** What the caller gets. Cold: none of the lake's files is on this machine yet. */
  asMember(sql: string, { isCold, ...asked }: StatementOptions & { isCold: boolean }): Promise<Outcome> {
    return outcomeOf(this.#whole, sql, { ...asked, grant: grantOf(isCold ? `cold-${++this.#cold}` : "warm") });
  }

  /** What a statement reads of the bucket when none of it is on this machine yet: the member's, or an admin's. */
  async bytesRead(sql: string, caller: "member" | "admin"): Promise<number> {
    const { platform } = this.#whole;
    const before = platform.bytesRead;
    await this.#whole.rows(sql, { grant: { ...grantOf(`cold-${++this.#cold}`), token: caller } });
    return platform.bytesRead - before;
  }

  /** A column's profile, as the caller gets it and as it should be. */
  async profiles(column: ProfiledColumn): Promise<{ member: unknown; twin: unknown }> {
    return { member: await profileOf(this.#whole, column), twin: await profileOf(this.#twin, column) };
  }

  /** What the caller should get. */
  onTwin(sql: string, asked: StatementOptions = {}): Promise<Outcome> {
    return outcomeOf(this.#twin, sql, { ...asked, grant: grantOf("warm") });
  }
}

/** Which column, and its lake type. */
export type ProfiledColumn = Pick<ProfileRequest, "schema" | "table" | "column" | "type">;

async function profileOf(lake: TestLake, column: ProfiledColumn): Promise<unknown> {
  const grant = { teamId: "team", ...grantOf("warm") };
  const request = { id: "profile-1", lake: grant, ...column, deadlineMs: 30_000 };
  return profileColumn(request, lake.lake, new AbortController().signal).catch(({ code, message }: Failure) => ({
    code,
    message,
  }));
}

/** A grant of a snapshot after the last table. */
const grantOf = (lakeId: string) => ({ lakeId, token: MEMBER, snapshotId: TABLES.length });

async function outcomeOf(lake: TestLake, sql: string, asked: StatementOptions): Promise<Outcome> {
  try {
    const { timing: _, meta: __, ...document } = JSON.parse(await lake.ask(sql, asked)) as Record<string, unknown>;
    return { document };
  } catch (error) {
    const { code, message, position } = error as { code: string; message: string; position?: number };
    return { failure: { code, message, ...(position === undefined ? {} : { position }) } };
  }
}

/** In several files: of the first the rows at its end are deleted, and the last knows a column by an older name. */
async function addTable(lake: TestLake, table: TableSpec, seen: NonNullable<TableSpec["seen"]>): Promise<void> {
  const columns = table.columns.filter(({ name }) => !seen.without?.includes(name));
  const files = [];
  for (let i = 0; i < FILES; i++) {
    const [from, until] = [Math.ceil((table.rows * i) / FILES), Math.ceil((table.rows * (i + 1)) / FILES)];
    const nameOf = ({ name }: LakeColumn): string =>
      quoteIdentifier(i === FILES - 1 && name === "id" ? "old_id" : name);
    const cells = columns.map(
      (one) => `CAST(${seen.cells[one.name] ?? table.cells[one.name]!} AS ${duckdbType(one)}) AS ${nameOf(one)}`,
    );
    const path = await lake.write(
      `${table.schema}-${table.name}-${i}.parquet`,
      `SELECT ${cells.join(", ")} FROM range(${from}, ${until}) AS r(x) WHERE ${seen.where}`,
      fieldIds(columns, nameOf),
      ", ROW_GROUP_SIZE 2048",
    );
    if (lake.platform.rowsOf.get(path) === 0) continue;
    const source = `FROM (SELECT x, row_number() OVER (ORDER BY x) - 1 AS pos FROM range(${from}, ${until}) AS r(x) WHERE ${seen.where})`;
    const deletes =
      i === 0
        ? await lake.write(`${path}-deletes`, `SELECT 'x' AS file_path, pos ${source} WHERE x >= ${until * 0.9}`)
        : undefined;
    files.push({ path, ...(deletes ? { deletes } : {}) });
  }
  lake.platform.addTable(table.schema, table.name, columns, files);
}

function fieldIds(columns: readonly LakeColumn[], nameOf: (column: LakeColumn) => string): string {
  const plain = ({ name }: LakeColumn): string => quoteIdentifier(name);
  return columns
    .map((one) =>
      one.children.length === 0
        ? `${nameOf(one)}: ${one.id}`
        : `${nameOf(one)}: {__duckdb_field_id: ${one.id}, ${fieldIds(one.children, plain)}}`,
    )
    .join(", ");
}
