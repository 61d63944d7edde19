// A visit to the console in a browser of its own state: signed in as somebody, and watched for whatever a page must not
// do. A test ends it with `expect(visit.offences()).toEqual([])`, which the suites do after each.

import type { Browser, BrowserContext, Page } from "playwright-core";

export type Visitor = {
  /** Who signs in, by an API key; nobody where it is absent. */
  key?: string;
  scheme?: "light" | "dark";
  isPhone?: boolean;
};

export type Visit = {
  page: Page;
  context: BrowserContext;
  /** Opens a path below /app and waits until its screen is drawn. */
  open(path: string): Promise<void>;
  /** What went wrong by itself: errors in the page's console, reports of its policy, requests to other hosts. */
  offences(): string[];
  /** Answers of this status are no offence: the test means to be refused. */
  expectStatus(status: number): void;
  /** Requests to this origin are no offence: the page means to leave. */
  expectOrigin(origin: string): void;
  end(): Promise<void>;
};

const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

export async function visitConsole(browser: Browser, baseUrl: string, visitor: Visitor = {}): Promise<Visit> {
  const context = await browser.newContext({
    baseURL: baseUrl,
    viewport: visitor.isPhone ? PHONE : DESKTOP,
    colorScheme: visitor.scheme ?? "light",
    reducedMotion: "reduce",
  });
  const offences: string[] = [];
  const [expected, origins] = [new Set<number>(), new Set([new URL(baseUrl).origin])];
  const page = await context.newPage();
  watch(page, { offences, expected, origins });
  const visit: Visit = {
    page,
    context,
    async open(path) {
      await page.goto(`/app${path}`);
      await page.locator("main").first().waitFor();
    },
    offences: () => offences,
    expectStatus: (status) => void expected.add(status),
    expectOrigin: (origin) => void origins.add(origin),
    end: () => context.close(),
  };
  if (visitor.key !== undefined) {
    // Asking who is signed in is answered 401 before somebody is.
    visit.expectStatus(401);
    await signIn(page, visitor.key);
  }
  return visit;
}

/** As a person does it: by the form, unless the browser still knows the session. */
export async function signIn(page: Page, key: string): Promise<void> {
  const [field, screen] = [page.getByLabel("API key"), page.locator("#content")];
  await page.goto("/app");
  await field.or(screen).first().waitFor();
  if (await screen.isVisible()) return;
  await field.fill(key);
  await page.getByRole("button", { name: "Sign in with the key" }).click();
  await screen.waitFor();
}

const REFUSED = /Failed to load resource: the server responded with a status of (\d+)/;

type Seen = { offences: string[]; expected: Set<number>; origins: Set<string> };

function watch(page: Page, seen: Seen): void {
  page.on("pageerror", (error) => seen.offences.push(`error: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "warning") return;
    const status = REFUSED.exec(message.text())?.[1];
    if (status !== undefined && seen.expected.has(Number(status))) return;
    const { url, lineNumber, columnNumber } = message.location();
    seen.offences.push(`${message.type()}: ${message.text()} (${url}:${lineNumber}:${columnNumber} on ${page.url()})`);
  });
  page.on("request", (request) => {
    const url = new URL(request.url());
    // The bucket of a local platform is another port of this machine.
    const isOurs = seen.origins.has(url.origin) || /^(data|blob):$/.test(url.protocol);
    if (!isOurs && !(url.hostname === "127.0.0.1" && url.searchParams.has("X-Amz-Signature")))
      seen.offences.push(`request: ${url.origin}`);
  });
}
