// catalog: tables, columns, search.

import type { Command } from "commander";
import { connect, type AddCommands, type Context } from "../context.ts";
import { UsageError } from "../exit-codes.ts";
import { printList } from "../output/list.ts";
import { formatBytes } from "../output/table.ts";
import { findLake } from "./find-integration.ts";

type LakeFlags = { integration?: string };
type SearchFlags = { limit: string };

const LAKE_OPTION = ["-i, --integration <name>", "the lake, by name or id; the team's default one without"] as const;

export const addCatalogCommands: AddCommands = (program, contextOf) => {
  const catalog = program.command("catalog").description("what there is to ask");
  catalog
    .command("tables")
    .description("the tables of the lake")
    .option(...LAKE_OPTION)
    .action((flags: LakeFlags, command: Command) => tables(contextOf(command), flags));
  catalog
    .command("columns")
    .description("the columns of a table of the lake")
    .argument("<schema.table>")
    .option(...LAKE_OPTION)
    .action((name: string, flags: LakeFlags, command: Command) => columns(contextOf(command), name, flags));
  catalog
    .command("search")
    .description("tables, measures, saved queries and docs by the words of a question")
    .argument("<words...>")
    .option("--limit <number>", "how many at most", "10")
    .action((words: string[], flags: SearchFlags, command: Command) => search(contextOf(command), words, flags));
};

async function tables(context: Context, { integration }: LakeFlags): Promise<void> {
  const fjord = await connect(context);
  const path = { integration_id: (await findLake(fjord, integration)).id };
  const { data } = await fjord.api.GET("/v4/catalog/integrations/{integration_id}/tables", { params: { path } });
  await printList(context, data!.data.items, {
    table: (table) => `${table.schema_name}.${table.table_name}`,
    rows: (table) => table.row_count,
    size: (table) => (table.bytes === null ? null : formatBytes(table.bytes)),
    columns: (table) => table.column_count,
    comment: (table) => table.comment,
  });
}

async function columns(context: Context, name: string, { integration }: LakeFlags): Promise<void> {
  const [schema, table, ...rest] = name.replace(/^LAKE\./i, "").split(".");
  if (!schema || !table || rest.length > 0) throw new UsageError(`A table is named schema.table, and not ${name}.`);
  const fjord = await connect(context);
  const path = { integration_id: (await findLake(fjord, integration)).id, schema_name: schema, table_name: table };
  const { data } = await fjord.api.GET("/v4/catalog/integrations/{integration_id}/tables/{schema_name}/{table_name}", {
    params: { path },
  });
  await printList(context, data!.data.columns, {
    column: (column) => column.name,
    type: (column) => column.type,
    null: (column) => (column.nullable ? "yes" : "no"),
    comment: (column) => column.comment,
  });
}

async function search(context: Context, words: string[], { limit }: SearchFlags): Promise<void> {
  const fjord = await connect(context);
  const query = { text: words.join(" "), limit: Number(limit) };
  const { data } = await fjord.api.GET("/v4/catalog/search", { params: { query } });
  await printList(context, data!.data.items, {
    kind: (hit) => hit.kind,
    name: (hit) => hit.name,
    title: (hit) => hit.title,
    description: (hit) => hit.description,
  });
}
