// The SQL workspace as tests use it: a statement is written and run, its result shown in a way, and a grid's cells are
// read.

import type { Page } from "playwright-core";

export class Workspace {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Puts the text in the place of what the tab holds. */
  async write(sql: string): Promise<void> {
    await this.#page.locator(".cm-content").focus();
    await this.#page.keyboard.press("Control+A");
    await this.#page.keyboard.insertText(sql);
  }

  async run(sql: string): Promise<void> {
    await this.write(sql);
    await this.#page.keyboard.press("Control+Enter");
    await this.#page.getByRole("status").getByText("Done").waitFor();
  }

  show(view: string): Promise<void> {
    const views = this.#page.getByRole("radiogroup", { name: "How the result is shown" });
    return views.getByText(view, { exact: true }).click();
  }

  async choose(label: string, option: string | RegExp): Promise<void> {
    await this.#page.getByRole("combobox", { name: label }).click();
    await this.#page.getByRole("option", { name: option, exact: true }).click();
  }

  /** What a grid shows, row by row, its head first. */
  async cellsOf(name: string): Promise<string[][]> {
    const grid = this.#page.getByRole("grid", { name });
    const heads = await grid.getByRole("columnheader").locator("button > span:first-child").allTextContents();
    const rows = await grid
      .getByRole("row")
      .filter({ has: this.#page.getByRole("gridcell") })
      .all();
    const cells = await Promise.all(rows.map((row) => row.getByRole("gridcell").allTextContents()));
    return [heads, ...cells];
  }
}
