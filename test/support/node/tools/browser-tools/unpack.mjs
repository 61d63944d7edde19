// Runs in the cache folder that has the package: unpacks its Chromium and fonts into the folder for temporary files.

import chromium from "@sparticuz/chromium";

await chromium.executablePath();
