// The open tabs: chosen, named by a double click, closed, and opened again.

import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { useLocation } from "wouter";
import { ActionIcon, Menu } from "../../../ui/controls.ts";
import { Icon } from "../../../ui/icons.tsx";
import { forgetRun, useRunningTabs } from "../run/run-store.ts";
import { titleOf } from "./tab.ts";
import { useTabs, type TabStore } from "./tab-store.ts";
import styles from "./tabs.module.css";

const REOPENED_MAX = 12;

export function TabBar({ store, current }: { store: TabStore; current: string }) {
  useTabs(store);
  const running = useRunningTabs().split(" ");
  const [, navigate] = useLocation();
  const [renamed, setRenamed] = useState<string>();
  const open = store.open;
  // The tab that keys lead to may be drawn only after them, as the one that takes a closed one's place.
  const wanted = useRef<string>(undefined);
  useEffect(() => {
    if (wanted.current !== current) return;
    wanted.current = undefined;
    document.getElementById(`tab-${current}`)?.focus();
  });
  const show = (id: string) => navigate(`/query/${id}`);
  /** Answers the tab that is shown then. */
  const close = (id: string): string => {
    const at = open.findIndex((tab) => tab.id === id);
    forgetRun(id);
    store.close(id);
    const next = id === current ? (store.open[at] ?? store.open[at - 1] ?? store.open[0]!).id : current;
    if (next !== current) show(next);
    return next;
  };
  const onKeyDown = (event: KeyboardEvent, id: string) => {
    const at = open.findIndex((tab) => tab.id === id);
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step !== undefined) {
      const next = open[(at + step + open.length) % open.length]!;
      wanted.current = next.id;
      show(next.id);
    } else if (event.key === "Delete") wanted.current = close(id);
    else if (event.key === "F2") setRenamed(id);
  };
  return (
    <div className={styles.tabs}>
      <div className={styles.list} role="tablist" aria-label="Queries">
        {open.map((tab) => (
          <div key={tab.id} className={styles.tab} role="presentation" data-here={tab.id === current || undefined}>
            {renamed === tab.id ? (
              <input
                className={styles.rename}
                aria-label="Name of the tab"
                defaultValue={titleOf(tab)}
                // biome-ignore lint/a11y/noAutofocus: the field stands where the name was that was just chosen.
                autoFocus
                onBlur={(event) => {
                  store.change(tab.id, { title: event.currentTarget.value.trim() });
                  setRenamed(undefined);
                }}
                onKeyDown={(event) => (event.key === "Enter" || event.key === "Escape") && event.currentTarget.blur()}
              />
            ) : (
              <button
                type="button"
                id={`tab-${tab.id}`}
                role="tab"
                aria-selected={tab.id === current}
                tabIndex={tab.id === current ? 0 : -1}
                title="Double-click, or F2, to name it; Delete closes it"
                onClick={() => show(tab.id)}
                onDoubleClick={() => setRenamed(tab.id)}
                onKeyDown={(event) => onKeyDown(event, tab.id)}
              >
                {running.includes(tab.id) && <span className={styles.busy} title="Running" />}
                {titleOf(tab)}
              </button>
            )}
            {/* The tab itself is closed by Delete: a list of tabs may hold nothing else. */}
            <span className={styles.close} title="Close (Delete)" aria-hidden="true" onPointerUp={() => close(tab.id)}>
              <Icon name="close" size={12} />
            </span>
          </div>
        ))}
      </div>
      <ActionIcon aria-label="New tab" onClick={() => show(store.add().id)}>
        <Icon name="plus" size={16} />
      </ActionIcon>
      {store.closed.length > 0 && (
        <Menu position="bottom-end" withinPortal>
          <Menu.Target>
            <ActionIcon aria-label="Closed tabs">
              <Icon name="chevronDown" size={15} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Label>Closed tabs</Menu.Label>
            {store.closed.slice(0, REOPENED_MAX).map((tab) => (
              <Menu.Item
                key={tab.id}
                onClick={() => {
                  store.reopen(tab.id);
                  show(tab.id);
                }}
              >
                {titleOf(tab)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </div>
  );
}
