// A client's side of an app: the MCP Apps extension's own bridge, in a page that frames the app as clients do.

import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { build, type Rolldown } from "vite";

const BRIDGE = fileURLToPath(import.meta.resolve("@modelcontextprotocol/ext-apps/app-bridge"));
/** What a page of a client does: nothing of the app reaches the network, and it has no origin. */
const POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:";
const NAME = "virtual:app-host";

const HOST = `
import { AppBridge, PostMessageTransport } from ${JSON.stringify(BRIDGE)};
globalThis.showApp = async ({ html, result, theme }) => {
  const frame = document.querySelector("iframe");
  const bridge = new AppBridge(null, { name: "host", version: "1" }, {}, { hostContext: { theme } });
  globalThis.bridge = bridge;
  globalThis.sizes = [];
  bridge.onsizechange = (size) => void sizes.push(size);
  const initialized = new Promise((resolve) => void (bridge.oninitialized = resolve));
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  frame.srcdoc = html;
  await initialized;
  await bridge.sendToolInput({ arguments: {} });
  await bridge.sendToolResult(result);
};`;

/** Opens a page that shows an app once `showApp` is called in it. */
export async function openAppHost(page: Page): Promise<void> {
  const output = (await build({
    configFile: false,
    logLevel: "silent",
    build: { write: false, minify: false, rolldownOptions: { input: NAME } },
    plugins: [
      { name: "app-host", resolveId: (id) => (id === NAME ? id : null), load: (id) => (id === NAME ? HOST : null) },
    ],
  })) as Rolldown.RolldownOutput;
  await page.setContent('<iframe sandbox="allow-scripts" style="width: 700px; height: 500px; border: 0"></iframe>');
  await page.addScriptTag({ content: output.output[0].code, type: "module" });
  await page.waitForFunction("typeof showApp === 'function'");
}

type Shown = { html: string; result: unknown; theme: "light" | "dark" };

/** Resolves once the app has had the result. */
export const showApp = (page: Page, { html, ...shown }: Shown): Promise<void> =>
  page.evaluate((sent) => (globalThis as unknown as { showApp(sent: unknown): Promise<void> }).showApp(sent), {
    ...shown,
    html: html.replace("<head>", `<head><meta http-equiv="content-security-policy" content="${POLICY}">`),
  });
