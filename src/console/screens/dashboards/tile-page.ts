// The page of an HTML tile is a file of the drive, which the reader fetches with their own rights.

import { api, bodyOf } from "../../api/client.ts";
import type { TileQuery, HtmlTileOf } from "../../ui/dashboard/tile-source.ts";

const PAGE_BYTES_MAX = 5_000_000;
const DEADLINE_MS = 60_000;

export const tilePageQuery = (docId: string, { driveFile: path }: HtmlTileOf): TileQuery<string> => ({
  queryKey: ["dashboards", docId, "page", path],
  queryFn: async ({ signal }) => {
    const { download_url, file } = await bodyOf(api.POST("/v3/drive/download-url", { body: { path } }));
    if (file.bytes > PAGE_BYTES_MAX) throw new Error(`The file ${path} is too large to be drawn.`);
    const page = await fetch(download_url, { signal: AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]) });
    if (!page.ok) throw new Error(`The file ${path} could not be read: ${page.status}.`);
    return page.text();
  },
});
