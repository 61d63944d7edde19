// `npm run bench [-- http|lake|stream|sync]`: our figures beside the yardstick's, in one run, on this machine. Not part of the tests.

import { benchHttp } from "./http.ts";
import { benchLake } from "./lake.ts";
import { benchStream } from "./stream.ts";
import { benchSync } from "./sync.ts";

const BENCHES: Record<string, () => Promise<void>> = { http: benchHttp, lake: benchLake, stream: benchStream, sync: benchSync };

const names = process.argv.slice(2);
const unknown = names.find((name) => !(name in BENCHES));
if (unknown !== undefined) {
  console.error(`There is no benchmark "${unknown}"; there are: ${Object.keys(BENCHES).join(", ")}.`);
  process.exit(1);
}
for (const name of names.length ? names : Object.keys(BENCHES)) await BENCHES[name]!();
process.exit();
