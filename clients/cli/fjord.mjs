#!/usr/bin/env node
// This file starts the bundled command line. In the repository, where its sources lie beside it, it bundles them first
// when they are newer.

import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = dirname(fileURLToPath(import.meta.url));
const bundle = join(folder, "dist/fjord.mjs");
const sources = [join(folder, "src"), join(folder, "../typescript/src")].filter(existsSync);

const changedAt = (file) => statSync(file).mtimeMs;
const isOlder = (source) =>
  readdirSync(source, { recursive: true }).some((name) => changedAt(join(source, name)) > changedAt(bundle));

if (!existsSync(bundle) || sources.some(isOlder)) await (await import("./build.mjs")).bundle();
await import("./dist/fjord.mjs");
