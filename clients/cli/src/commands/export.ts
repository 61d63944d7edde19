// export: the catalog of a lake as a file that DuckDB's extension ducklake opens.

import { createWriteStream } from "node:fs";
import { rename } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeStream } from "node:stream/web";
import type { Command } from "commander";
import { connect, LONG_WORK, type AddCommands, type Context } from "../context.ts";
import { printJson, say } from "../output/terminal.ts";
import { findLake } from "./find-integration.ts";

type Flags = { integration?: string };

export const addExportCommand: AddCommands = (program, contextOf) => {
  program
    .command("export")
    .description("write the catalog of a lake to a file that DuckDB opens with its extension ducklake")
    .argument("<file>", "as lake.ducklake")
    .option("-i, --integration <name>", "the lake, by name or id; the team's default one without")
    .action((file: string, flags: Flags, command: Command) => exportCatalog(contextOf(command), file, flags));
};

/** The file is there once it is whole. */
async function exportCatalog(context: Context, file: string, { integration }: Flags): Promise<void> {
  const fjord = await connect(context, LONG_WORK);
  const { id, name } = await findLake(fjord, integration);
  const response = await fjord.request(`/v4/catalog/integrations/${id}/export`, { signal: context.signal });
  const part = `${file}.part`;
  await pipeline(Readable.fromWeb(response.body as unknown as NodeStream), createWriteStream(part));
  await rename(part, file);
  if (context.options.json) return printJson({ lake: name, file });
  say(`The catalog of ${name} is in ${file}.`);
}
