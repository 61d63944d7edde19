// drive: ls, cp, rm.

import { stat } from "node:fs/promises";
import type { Command } from "commander";
import { connect, LONG_WORK, type AddCommands, type Context } from "../context.ts";
import { download, printFile } from "../drive/download.ts";
import { sendFile } from "../drive/send-file.ts";
import { UsageError } from "../exit-codes.ts";
import { collect, printList } from "../output/list.ts";
import { formatBytes } from "../output/table.ts";
import { printJson, say } from "../output/terminal.ts";

const DRIVE = "drive:";
const STANDARD_OUTPUT = "-";

export const addDriveCommands: AddCommands = (program, contextOf) => {
  const drive = program.command("drive").description("the team's files");
  drive
    .command("ls")
    .description("the files below a prefix")
    .argument("[prefix]", "as reports/")
    .action((prefix: string | undefined, _flags: object, command: Command) => list(contextOf(command), prefix));
  drive
    .command("cp")
    .description("copy a file to the drive or from it; what broke off goes on where it ended")
    .argument("<from>", "a file here, or drive:path")
    .argument("<to>", "a file or folder here, drive:path, or - to print it; drive:folder/ keeps the name")
    .action((from: string, to: string, _flags: object, command: Command) => copy(contextOf(command), from, to));
  drive
    .command("rm")
    .description("delete a file of the drive")
    .argument("<path>", "as reports/may.csv")
    .action((path: string, _flags: object, command: Command) => remove(contextOf(command), path));
};

const drivePath = (word: string): string => (word.startsWith(DRIVE) ? word.slice(DRIVE.length) : word);

async function list(context: Context, prefix = ""): Promise<void> {
  const files = await collect((await connect(context)).driveFiles(drivePath(prefix)));
  await printList(context, files, {
    path: (file) => file.path,
    size: (file) => formatBytes(file.bytes),
    modified: (file) => file.modified_at,
  });
}

async function copy(context: Context, from: string, to: string): Promise<void> {
  const [isFromDrive, isToDrive] = [from.startsWith(DRIVE), to.startsWith(DRIVE)];
  if (isFromDrive === isToDrive) throw new UsageError("One of the two is a file of the drive: drive:path.");
  const fjord = await connect(context, LONG_WORK);
  if (to === STANDARD_OUTPUT) return printFile(context, fjord, drivePath(from));
  const path = isToDrive
    ? await sendFile(context, fjord, { file: from, path: withName(drivePath(to), from) })
    : await download(context, fjord, { path: drivePath(from), file: withName(await withSlash(to), from) });
  if (context.options.json) return printJson({ copied: path });
  say(`Copied to ${isToDrive ? DRIVE : ""}${path}.`);
}

/** A folder that is there is one without a slash at its end, too. */
const withSlash = async (target: string): Promise<string> => {
  const found = target === "" ? undefined : await stat(target).catch(() => undefined);
  return found?.isDirectory() && !target.endsWith("/") ? `${target}/` : target;
};

/** A target that is a folder takes the source's name. */
const withName = (target: string, source: string): string =>
  target === "" || target === "." || target.endsWith("/")
    ? `${target === "." ? "./" : target}${drivePath(source).split("/").at(-1)!}`
    : target;

async function remove(context: Context, path: string): Promise<void> {
  const fjord = await connect(context);
  await fjord.api.DELETE("/v3/drive/file", { params: { query: { path: drivePath(path) } } });
  if (context.options.json) return printJson({ deleted: drivePath(path) });
  say(`Deleted ${DRIVE}${drivePath(path)}.`);
}
