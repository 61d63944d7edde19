// A person with a keyboard and no mouse reaches every control of a page by Tab, and works it by keys.

import type { Locator, Page } from "playwright-core";

/** No two controls of a screen may be further apart: nobody goes a longer way. */
const STOPS_MAX = 40;
const SHOWN_MS = 30_000;
const OPTIONS_MAX = 40;

/** Has timers that are due at once come late in what the page opens from now on, as they do on a busy machine. */
export const delayTimers = (page: Page): Promise<unknown> =>
  page.addInitScript(
    "const own = setTimeout; window.lateTimers = 0;" +
      "window.setTimeout = (run, ms = 0, ...more) => ms > 0 ? own(run, ms, ...more) :" +
      "  (window.lateTimers++, own(() => { window.lateTimers--; run(...more); }, 500));",
  );

export class Keyboard {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Goes on to a control, or back to one; throws where Tab does not lead there. */
  async tabTo(control: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
    // Radio buttons and switches are hidden behind their pictures, and have the focus all the same.
    await control.waitFor({ state: "attached", timeout: SHOWN_MS });
    const focused = this.#focused(control);
    const stops: string[] = [];
    while ((await focused.count()) === 0) {
      if (stops.length === STOPS_MAX)
        throw new Error(`${key} does not lead to ${control}, but by: ${stops.join(", ")}`);
      await this.press(key);
      stops.push(await this.#nameOfFocused());
    }
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.#page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    await this.#page.keyboard.type(text);
  }

  /** Reaches a button, a link, a checkbox, and presses it. */
  async use(control: Locator, key = "Enter"): Promise<void> {
    await this.tabTo(control);
    await this.press(key);
  }

  /** Reaches a field and types over what it holds. */
  async fill(field: Locator, text: string): Promise<void> {
    await this.tabTo(field);
    await this.press("Control+A");
    await this.type(text);
  }

  /** Reaches a field with a list, and chooses the option of this name. */
  async choose(field: Locator, option: string): Promise<void> {
    await this.tabTo(field);
    await this.press("ArrowDown");
    const named = { name: option };
    await this.#page.getByRole("option", named).first().waitFor({ timeout: SHOWN_MS });
    for (let moves = 0; (await this.#activeOption(field)) !== option; moves++) {
      if (moves === OPTIONS_MAX) throw new Error(`The arrows do not lead to the option ${option}.`);
      await this.press("ArrowDown");
    }
    await this.press("Enter");
    // The list has closed, or says of the option that it is chosen.
    const unchosen = this.#page.getByRole("option", { ...named, exact: true, selected: false });
    await unchosen.first().waitFor({ state: "hidden", timeout: SHOWN_MS });
  }

  /** Reaches the button of a menu, and chooses its item. */
  async chooseItem(button: Locator, name: string): Promise<void> {
    await this.use(button);
    const item = this.#page.getByRole("menuitem", { name });
    await item.waitFor({ timeout: SHOWN_MS });
    for (let moves = 0; (await this.#focused(item).count()) === 0; moves++) {
      if (moves === OPTIONS_MAX) throw new Error(`The arrows do not lead to the item ${name}.`);
      await this.press("ArrowDown");
    }
    await this.press("Enter");
  }

  /** Goes to a screen, or to a thing, by the palette. */
  async goTo(name: string): Promise<void> {
    await this.press("Control+K");
    const field = this.#page.getByRole("combobox", { name: "Go to" });
    await this.#focused(field).waitFor({ timeout: SHOWN_MS });
    await this.type(name);
    await this.#page.getByRole("option", { name, selected: true }).waitFor({ timeout: SHOWN_MS });
    await this.press("Enter");
    await field.waitFor({ state: "detached", timeout: SHOWN_MS });
  }

  /** Leaves an editor, where Tab indents. */
  async leaveEditor(key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
    await this.press("Escape", key);
  }

  #focused(control: Locator): Locator {
    return control.and(this.#page.locator(":focus"));
  }

  async #activeOption(field: Locator): Promise<string | undefined> {
    const id = await field.getAttribute("aria-activedescendant");
    return id ? (await this.#page.locator(`[id="${id}"]`).innerText()).trim() : undefined;
  }

  #nameOfFocused(): Promise<string> {
    return this.#page.evaluate(
      "(({ tagName, ariaLabel, innerText }) => `${tagName} ${(ariaLabel ?? innerText ?? '').slice(0, 40)}`)(document.activeElement)",
    );
  }
}
