// The workspace must hold this after each step of a walk: every tab's text as it was left, and in no tab an answer to
// what another one asked.

import type { Page } from "playwright-core";

type ModelTab = { text: string; asked: Set<string> };

export class WorkspaceModel {
  readonly #page: Page;
  /** By the tab's id in the address. */
  readonly tabs = new Map<string, ModelTab>();
  #answers = 0;

  constructor(page: Page) {
    this.#page = page;
  }

  /** The id of the tab that is shown; undefined where another screen is. */
  get current(): string | undefined {
    return /\/app\/query\/([\w-]+)/.exec(this.#page.url())?.[1];
  }

  /** Takes the tab that is shown into account, where it is new. */
  async adopt(): Promise<ModelTab> {
    await this.#page.waitForURL(/\/app\/query\/[\w-]+/);
    const id = this.current!;
    const known = this.tabs.get(id);
    if (known) return known;
    const tab = { text: await this.#readText(), asked: new Set<string>() };
    this.tabs.set(id, tab);
    return tab;
  }

  async write(text: string): Promise<void> {
    const tab = await this.adopt();
    await this.#editor.focus();
    await this.#page.keyboard.press("Control+A");
    await this.#page.keyboard.insertText(text);
    tab.text = text;
  }

  /** Asks for an answer that no other statement has. */
  async ask(rows: number): Promise<void> {
    const answer = `answer-${++this.#answers}.`;
    await this.write(`SELECT '${answer}' AS answer, i FROM range(${rows}) t(i)`);
    (await this.adopt()).asked.add(answer);
    await this.#page.keyboard.press("Control+Enter");
  }

  /** The flaws of what is shown now. */
  async flaws(): Promise<string[]> {
    const id = this.current;
    const tab = id === undefined ? undefined : this.tabs.get(id);
    if (!tab) return [];
    const [text, shown] = [await this.#readText(), await this.#readResult()];
    // The page may have gone on meanwhile; what is read of another tab says nothing of this one.
    if (this.current !== id) return [];
    const strange = [...shown.matchAll(/answer-\d+\./g)].map(([answer]) => answer).filter((one) => !tab.asked.has(one));
    return [
      ...(text === tab.text
        ? []
        : [`the draft of ${id} is ${JSON.stringify(text)} and was ${JSON.stringify(tab.text)}`]),
      ...strange.map((answer) => `${answer} stands in ${id}, which never asked for it`),
    ];
  }

  get #editor() {
    return this.#page.locator(".cm-content").first();
  }

  async #readText(): Promise<string> {
    const lines = this.#editor.locator(".cm-line");
    return (await lines.allTextContents()).join("\n");
  }

  async #readResult(): Promise<string> {
    const result = this.#page.getByRole("region", { name: "Result" });
    return (await result.count()) === 0 ? "" : ((await result.textContent()) ?? "");
  }
}
