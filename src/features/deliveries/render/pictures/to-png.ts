// An SVG as a PNG, because mail programs show no SVG. The renderer is WebAssembly and loads with the first picture.

import type { Resvg } from "@resvg/resvg-wasm";
import { CHART_FONT } from "../../../../../kernel/docs/draw/charts/themes.ts";

/** Pixels of the PNG for each of the SVG, so that it stays sharp on dense screens. */
const SCALE = 2;

type Renderer = { Picture: typeof Resvg; font: Uint8Array };

/** Draws text with the bundled font alone; it reads no file, no address and no system font. */
export async function toPng(svg: string): Promise<Uint8Array> {
  const { Picture, font } = await (renderer ??= load());
  const picture = new Picture(svg, {
    fitTo: { mode: "zoom", value: SCALE },
    font: { fontBuffers: [font], defaultFontFamily: CHART_FONT },
  });
  // The memory of WebAssembly is not collected: what is not freed stays until the isolate ends.
  try {
    const image = picture.render();
    try {
      return image.asPng();
    } finally {
      image.free();
    }
  } finally {
    picture.free();
  }
}

/** Loaded once an isolate. A failure is kept: the modules are part of the Worker, so a second try changes nothing. */
let renderer: Promise<Renderer> | undefined;

async function load(): Promise<Renderer> {
  const [resvg, wasm, font] = await Promise.all([
    import("@resvg/resvg-wasm"),
    import("@resvg/resvg-wasm/index_bg.wasm"),
    import("@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf"),
  ]);
  await resvg.initWasm(wasm.default);
  return { Picture: resvg.Resvg, font: new Uint8Array(font.default) };
}
