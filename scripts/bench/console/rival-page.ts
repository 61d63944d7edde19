// The yardstick's page is built with the project's React and served with the rows that it shows.

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { packageFolder } from "../support/package.ts";

/** The newest; it brings nothing but itself. */
export const RIVAL = { name: "hightable", version: "0.26.4" };
const SOURCE = fileURLToPath(new URL("rival", import.meta.url));
const TYPES: Record<string, string> = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };

/** `rows` is an Arrow stream. The page takes `width` and `height` of the table, in pixels. */
export async function serveRival(rows: Uint8Array): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "fjord-bench-rival-"));
  const found = await packageFolder(RIVAL.name, RIVAL.version);
  await build({
    root: SOURCE,
    configFile: false,
    envDir: false,
    logLevel: "error",
    resolve: {
      alias: [
        { find: /^hightable$/, replacement: join(found, "dist/HighTable.js") },
        { find: /^hightable\/src\//, replacement: join(found, "dist/") },
      ],
      dedupe: ["react", "react-dom"],
    },
    build: { outDir: folder, emptyOutDir: true, target: "es2023", chunkSizeWarningLimit: 2_000 },
  });
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, "http://127.0.0.1");
    const path = pathname === "/" ? "/index.html" : pathname;
    if (path === "/rows.arrow") return void response.end(rows);
    readFile(join(folder, path)).then(
      (body) => response.setHeader("content-type", TYPES[extname(path)] ?? "application/octet-stream").end(body),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async stop() {
      server.close();
      server.closeAllConnections();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
