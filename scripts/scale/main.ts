// `npm run scale` prints the page about scale with every figure as it is computed now; `npm run scale -- write` writes
// them into it.

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CHART, renderChart } from "./chart.ts";
import { PAGE, renderPage } from "./page.ts";

const root = join(import.meta.dirname, "..", "..");
const page = join(root, PAGE);
const rendered = renderPage(await readFile(page, "utf8"));
if (process.argv.includes("write")) {
  await writeFile(page, rendered);
  await writeFile(join(root, CHART), renderChart());
} else console.log(rendered);
