// The files of /docs and of the console, built beside other work: wrangler builds them too, and finds them there.

import { spawnGroup } from "../../process/group.ts";

/** Throws an Error with what the build printed. */
export async function buildAssets(): Promise<void> {
  const output: string[] = [];
  const code = await spawnGroup("scripts/assets/build.mjs", [], {}, (text) => output.push(text)).ended;
  if (code !== 0) throw new Error(`${output.join("")}\nThe console was not built (the build ended with ${code}).`);
}
