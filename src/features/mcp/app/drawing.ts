// The app of drawings: the page in which a client shows what `visualize` has drawn, and what it is given to show.

import type { Kpi } from "../../../../kernel/docs/draw/kpi.ts";

/** As the MCP Apps extension names such a page. */
export const DRAWING_APP = {
  name: "drawing",
  uri: "ui://fjord/drawing",
  mimeType: "text/html;profile=mcp-app",
  load: async (): Promise<string> => (await import("./drawing.html")).default,
};

/** The member of an answer's `_meta` that holds a {@link Drawing}; `drawing.html` reads it. */
export const DRAWING_KEY = "fjord/drawing";

/** `notes` and `rest` say what is left out. A NULL is null. */
export type Drawing =
  | { kind: "chart"; light: string; dark: string; notes: string[] }
  | { kind: "kpi"; kpis: Kpi[] }
  | { kind: "table"; columns: { label: string; isNumber: boolean }[]; rows: (string | null)[][]; rest: string };
