// The tabs of the workspace, kept by the browser as they are typed: each under a key of its own, so that two windows
// that edit two tabs never overwrite each other's. They belong to a user of a team and outlive the session.

import { useSyncExternalStore } from "react";
import { CLOSED_TABS_MAX, newTab, readTab, type Tab } from "./tab.ts";

export class TabStore {
  readonly #prefix: string;
  readonly #listeners = new Set<() => void>();
  #tabs: readonly Tab[] = [];
  /** Whether the browser refused to keep a draft: its storage is full, or off. */
  #isUnkept = false;

  constructor(owner: string) {
    this.#prefix = `fjord-query-tab:${owner}:`;
    this.#read();
    if (this.open.length === 0) this.add();
    addEventListener("storage", ({ key }) => {
      if (key !== null && !key.startsWith(this.#prefix)) return;
      this.#read();
      this.#announce();
    });
  }

  /** The tab that was open last, which the screen shows when its address names none. */
  get lastId(): string | null {
    return sessionStorage.getItem(this.#prefix) ?? localStorage.getItem(`${this.#prefix}last`);
  }

  set lastId(id: string | null) {
    if (id === null) return;
    sessionStorage.setItem(this.#prefix, id);
    localStorage.setItem(`${this.#prefix}last`, id);
  }

  get tabs(): readonly Tab[] {
    return this.#tabs;
  }

  get open(): Tab[] {
    return this.#tabs.filter(({ closedAt }) => closedAt === undefined);
  }

  get isUnkept(): boolean {
    return this.#isUnkept;
  }

  /** Opens a new tab at the end and answers it. */
  add(given: Partial<Tab> = {}): Tab {
    const tab = newTab(Math.max(0, ...this.#tabs.map(({ place }) => place)) + 1, given);
    this.#put(tab);
    return tab;
  }

  change(id: string, change: Partial<Omit<Tab, "id">>): void {
    const tab = this.#tabs.find((one) => one.id === id);
    if (tab) this.#put({ ...tab, ...change });
  }

  /** A closed tab stays among the last ones that can be opened again; an empty one goes. */
  close(id: string): void {
    const tab = this.#tabs.find((one) => one.id === id);
    if (!tab) return;
    if (tab.text.trim() === "") this.#drop(id);
    else this.change(id, { closedAt: Date.now() });
    for (const { id: old } of this.closed.slice(CLOSED_TABS_MAX)) this.#drop(old);
    if (this.open.length === 0) this.add();
    this.#announce();
  }

  get closed(): Tab[] {
    return this.#tabs.filter(({ closedAt }) => closedAt !== undefined).sort((a, b) => b.closedAt! - a.closedAt!);
  }

  reopen(id: string): void {
    const tab = this.#tabs.find((one) => one.id === id);
    if (!tab) return;
    const { closedAt: _, ...rest } = tab;
    this.#put(rest);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly snapshot = (): readonly Tab[] => this.#tabs;

  #put(tab: Tab): void {
    this.#tabs = [...this.#tabs.filter(({ id }) => id !== tab.id), tab].sort((a, b) => a.place - b.place);
    try {
      localStorage.setItem(this.#prefix + tab.id, JSON.stringify(tab));
      this.#isUnkept = false;
    } catch {
      this.#isUnkept = true;
    }
    this.#announce();
  }

  #drop(id: string): void {
    this.#tabs = this.#tabs.filter((tab) => tab.id !== id);
    localStorage.removeItem(this.#prefix + id);
  }

  #read(): void {
    const keys = Array.from({ length: localStorage.length }, (_, at) => localStorage.key(at)!);
    this.#tabs = keys
      .filter((key) => key.startsWith(this.#prefix))
      .flatMap((key) => readTab(localStorage.getItem(key)) ?? [])
      .sort((a, b) => a.place - b.place);
  }

  #announce(): void {
    for (const listener of this.#listeners) listener();
  }
}

const stores = new Map<string, TabStore>();

/** The tabs of a user in a team. */
export function tabStoreOf(owner: string): TabStore {
  const store = stores.get(owner) ?? new TabStore(owner);
  stores.set(owner, store);
  return store;
}

export function useTabs(store: TabStore): readonly Tab[] {
  return useSyncExternalStore(store.subscribe, store.snapshot);
}
