// Runs in the cache folder that has the package: unpacks its Chromium, and prints where it lies and how it is started.

import chromium from "@sparticuz/chromium";

console.log(JSON.stringify({ executablePath: await chromium.executablePath(), args: chromium.args }));
