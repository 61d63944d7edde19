// This file builds what the Worker serves as files, in `.assets/`: the page at /docs, and the console at /app. Wrangler
// runs it before each bundle. It is plain JavaScript for whatever Node runs the build.

import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildConsole } from "./console.mjs";
import { layOutDocsPage } from "./docs-page.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const assets = join(root, ".assets");

mkdirSync(assets, { recursive: true });
layOutDocsPage(root, assets);
await buildConsole(root, assets);
