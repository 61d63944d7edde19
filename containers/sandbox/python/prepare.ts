// Fetches the packages every dataset finds into a cache folder, for an image or before the first start: node prepare.ts
// [folder]

import { defaultCacheDirectory } from "../core/settings.ts";
import { findPython } from "./interpreter.ts";
import { prepareBase } from "./packages.ts";

process.umask(0o022);
const python = await findPython(process.env);
console.log(await prepareBase(python, process.argv[2] ?? defaultCacheDirectory()));
