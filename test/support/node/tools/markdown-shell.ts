// The shell blocks of a Markdown page, and a shell that runs them as a reader would: one after the other, in one
// session.

import { spawn } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

export type ShellBlock = {
  /** The heading it stands under. */
  heading: string;
  /** What follows `sh` on the fence's line: nothing where the block is to be typed as it stands. */
  kind: string;
  text: string;
};

export type BlockRun = ShellBlock & { stdout: string; stderr: string; hasEnded: boolean };

/** Every block that is fenced as `sh`, in order. */
export function shellBlocks(markdown: string): ShellBlock[] {
  let heading = "";
  const blocks: ShellBlock[] = [];
  for (const [, title, kind, text] of markdown.matchAll(/^#+ (.+)$|^```sh(?: (.+))?\n([\s\S]*?)^```$/gm)) {
    if (title !== undefined) heading = title;
    else blocks.push({ heading, kind: kind ?? "", text: text! });
  }
  return blocks;
}

/**
 * Types the blocks into one bash in `folder`, with exactly this environment; it stops at the first whose last command
 * fails, or any part of a pipe. What a block starts in the background has to end with it.
 */
export async function runBlocks(
  blocks: readonly ShellBlock[],
  folder: string,
  env: Record<string, string>,
  msMax: number,
): Promise<BlockRun[]> {
  const typed = join(folder, ".typed");
  await mkdir(typed);
  const file = (index: number, name: string) => join(typed, `${index}.${name}`);
  await Promise.all(blocks.map(({ text }, index) => writeFile(file(index, "sh"), text)));
  const lines = blocks.map(
    (_, index) =>
      `. '${file(index, "sh")}' >'${file(index, "out")}' 2>'${file(index, "err")}'; : >'${file(index, "ended")}'`,
  );
  await bash(["set -euo pipefail", ...lines].join("\n"), folder, env, msMax);
  const read = (index: number, name: string) => readFile(file(index, name), "utf8").catch(() => undefined);
  return Promise.all(
    blocks.map(async (block, index) => ({
      ...block,
      stdout: (await read(index, "out")) ?? "",
      stderr: (await read(index, "err")) ?? "",
      hasEnded: (await read(index, "ended")) !== undefined,
    })),
  );
}

/** Resolves when the shell is gone, whatever came of it; at its deadline it goes with all it started. */
function bash(script: string, cwd: string, env: Record<string, string>, msMax: number): Promise<void> {
  const shell = spawn("bash", ["-c", script], { cwd, env, stdio: "ignore", detached: true });
  const timer = setTimeout(() => process.kill(-shell.pid!, "SIGKILL"), msMax);
  return new Promise((resolve, reject) => {
    shell.on("error", reject);
    shell.on("exit", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
