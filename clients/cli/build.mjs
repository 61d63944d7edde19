// This file bundles the command line into one file, with all that it imports, for any Node from 20 on.

import { chmodSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const file = fileURLToPath(import.meta.url);
const folder = dirname(file);

export async function bundle(outfile = join(folder, "dist/fjord.mjs")) {
  await build({
    entryPoints: [join(folder, "src/main.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    legalComments: "inline",
    // Packages that are not modules ask for Node's own by `require`.
    banner: {
      js: '#!/usr/bin/env node\nimport { createRequire } from "node:module";\nconst require = createRequire(import.meta.url);',
    },
  });
  chmodSync(outfile, 0o755);
}

if (process.argv[1] === file) await bundle(process.argv[2]);
