// A real browser for the console's tests: the machine's own Chromium, or one from npm that is fetched once.

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { chromium, type Browser, type BrowserContext, type LaunchOptions } from "playwright-core";
import { cachedFolder } from "../tools/cached-folder.ts";
import { installPackages } from "../tools/npm-packages.ts";

const run = promisify(execFile);
const source = fileURLToPath(new URL("../tools/browser-tools", import.meta.url));
const INSTALLED = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const UNPACK_MS = 60_000;

/** `fonts` is the folder of fonts that come along; empty where the machine has its own. */
type Program = { executablePath: string; fonts: string };

/** Rejects where no browser can be had: the ring fails then, and passes nothing by not running. */
export const openChromium = async (more: LaunchOptions = {}): Promise<Browser> =>
  chromium.launch({ ...(await launchOptions()), ...more });

/** A browser without a screen hides the bars of what scrolls: with these options they can be dragged. */
export const WITH_SCROLL_BARS: LaunchOptions = { ignoreDefaultArgs: ["--hide-scrollbars"] };

/** A browser that keeps in the folder what a person's own would keep. */
export const openChromiumIn = async (folder: string, baseURL: string): Promise<BrowserContext> =>
  chromium.launchPersistentContext(folder, { ...(await launchOptions()), baseURL });

async function launchOptions(): Promise<LaunchOptions> {
  const installed = INSTALLED.find((path) => existsSync(path));
  const { executablePath, fonts } = installed ? { executablePath: installed, fonts: "" } : await fetchChromium();
  const env = fonts === "" ? process.env : { ...process.env, FONTCONFIG_PATH: fonts };
  return { executablePath, env: env as Record<string, string>, args: ["--no-sandbox"] };
}

/**
 * The package unpacks into a place that all processes share, and takes what lies there for whole. Here it unpacks into
 * a folder that appears whole or not at all. Its own arguments are left out: they would run all of the browser in one
 * process, which dies with its first window, and take away the rules that the tests hold pages to.
 */
async function fetchChromium(): Promise<Program> {
  const packages = await installPackages("browser-tools/packages", source, ["unpack.mjs"]);
  const folder = await cachedFolder(`browser-tools/${basename(packages)}-unpacked`, async (work, whole) => {
    await mkdir(work);
    const env = { ...process.env, TMPDIR: work };
    await run(process.execPath, [join(packages, "unpack.mjs")], { cwd: packages, timeout: UNPACK_MS, env });
    await writeFile(join(work, "fonts", "fonts.conf"), fontsIn(whole));
  });
  return { executablePath: join(folder, "chromium"), fonts: join(folder, "fonts") };
}

const fontsIn = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/fonts-cache</cachedir></fontconfig>
`;
