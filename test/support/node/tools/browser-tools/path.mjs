// Runs in the cache folder that has the package: unpacks its Chromium, and prints where it lies and where its fonts do.
// The package's own arguments are left out: they would run all of the browser in one process, which dies with its first
// window, and take away the rules that the tests hold pages to.

import chromium from "@sparticuz/chromium";

const executablePath = await chromium.executablePath();
console.log(JSON.stringify({ executablePath, fonts: process.env.FONTCONFIG_PATH ?? "" }));
