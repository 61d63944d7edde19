// The runs of the past, with what each brought; one click opens its text in a new tab.

import { useMemo } from "react";
import { useLocation } from "wouter";
import { Drawer, TextInput, useInputState } from "../../../ui/controls.ts";
import { formatBytes, formatDuration, formatExact } from "../../../ui/data/format.ts";
import { State, Time } from "../../../ui/data/values.tsx";
import { EmptyState } from "../../../ui/feedback/states.tsx";
import { STATE_TONES, STATE_WORDS } from "../run/run.ts";
import type { DataSource } from "../schema/schema.ts";
import { sourceOf } from "../schema/use-sources.ts";
import type { TabStore } from "../tabs/tab-store.ts";
import { readHistory } from "./history.ts";
import styles from "./keep.module.css";

type HistoryDrawerProps = {
  owner: string;
  store: TabStore;
  sources: readonly DataSource[];
  isOpen: boolean;
  onClose: () => void;
};

export function HistoryDrawer({ isOpen, onClose, ...rest }: HistoryDrawerProps) {
  return (
    <Drawer opened={isOpen} onClose={onClose} position="right" size="lg" title="History">
      {isOpen && <PastRuns {...rest} onClose={onClose} />}
    </Drawer>
  );
}

function PastRuns({ owner, store, sources, onClose }: Omit<HistoryDrawerProps, "isOpen">) {
  const [, navigate] = useLocation();
  const [text, setText] = useInputState("");
  const all = useMemo(() => readHistory(owner), [owner]);
  const found = all.filter(({ sql }) => sql.toLowerCase().includes(text.toLowerCase()));
  if (all.length === 0)
    return <EmptyState title="Nothing has run yet">What you run is listed here, in this browser.</EmptyState>;
  return (
    <div className={styles.history}>
      <TextInput
        size="xs"
        aria-label="Find in the history"
        placeholder="Find in the text"
        value={text}
        onChange={setText}
      />
      {found.map(({ id, at, sql, integrationId, values, state, ms, rows, bytes, cache, message }) => (
        <button
          key={id}
          type="button"
          className={styles.past}
          onClick={() => {
            onClose();
            navigate(`/query/${store.add({ text: sql, integrationId, values }).id}`);
          }}
        >
          <code>{sql.slice(0, 400)}</code>
          <span className={styles.facts}>
            <State tone={STATE_TONES[state]}>{STATE_WORDS[state]}</State>
            <Time at={new Date(at).toISOString()} />
            <span>{sourceOf(sources, integrationId).name}</span>
            <span>{formatExact(rows)} rows</span>
            <span>{formatBytes(bytes)}</span>
            <span>{formatDuration(ms)}</span>
            {cache === "hit" && <span>kept result</span>}
          </span>
          {message && <span className={styles.message}>{message}</span>}
        </button>
      ))}
      {found.length === 0 && <p>No run with that text.</p>}
    </div>
  );
}
