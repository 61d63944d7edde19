// A tab's result beside another one: which rows were added, removed and changed, by key columns or as whole rows.

import { useState, type ReactNode } from "react";
import { Button, MultiSelect, Select } from "../../../../ui/controls.ts";
import { EmptyState, ErrorNote } from "../../../../ui/feedback/states.tsx";
import { readHistory, type PastRun } from "../../keep/history.ts";
import { againTab, cancelRun, earlierRunOf, forgetRun, runOf, startRun, useRuns } from "../../run/run-store.ts";
import { STATE_WORDS, type Run } from "../../run/run.ts";
import { titleOf, type Comparison, type Tab } from "../../tabs/tab.ts";
import styles from "../results.module.css";
import { BEFORE, choicesOf, readComparedWith, whyNotCompared, type ComparedWith } from "./compared-with.ts";
import { sharedColumns } from "./diff-rows.ts";
import { Differences } from "./differences.tsx";
import { formatExact } from "../../../../ui/data/format.ts";

type ComparePaneProps = {
  run: Run;
  tab: Tab;
  /** All open tabs, whose results can be compared with. */
  tabs: readonly Tab[];
  owner: string;
  onCompare: (comparison: Comparison) => void;
};

export function ComparePane({ run, tab, tabs, owner, onCompare }: ComparePaneProps) {
  useRuns();
  const [past] = useState(() => readHistory(owner));
  const { other = BEFORE, key = [] } = tab.compare ?? {};
  const chosen = readComparedWith(other);
  const pastOf = (one: ComparedWith): PastRun | undefined =>
    one.kind === "past" ? past.find(({ id }) => id === one.pastId) : undefined;
  const before = earlierRunOf(tab.id);
  const choices = choicesOf({
    before,
    tabs: tabs
      .filter(({ id }) => id !== tab.id)
      .map((one) => ({ id: one.id, title: titleOf(one), run: runOf(one.id) })),
    past,
    now: Date.now(),
  });
  const compared =
    chosen.kind === "before" ? before : runOf(chosen.kind === "tab" ? chosen.tabId : againTab(tab.id, chosen.pastId));
  const runAgain = ({ id, sql, integrationId, values }: PastRun) => {
    forgetRun(againTab(tab.id, id));
    startRun({ tabId: againTab(tab.id, id), question: { sql, integrationId, values } });
  };
  const choose = (value: string) => {
    onCompare({ ...tab.compare, other: value });
    if (chosen.kind === "past") forgetRun(againTab(tab.id, chosen.pastId));
    const asked = pastOf(readComparedWith(value));
    if (asked) runAgain(asked);
  };
  const asked = pastOf(chosen);
  const names =
    run.source && compared?.source ? sharedColumns(compared.source, run.source).map(({ name }) => name) : [];
  const keyColumns = key.filter((name) => names.includes(name));
  return (
    <>
      <div className={styles.line}>
        <Select
          size="xs"
          w={360}
          aria-label="Compare with"
          placeholder="Compare with"
          nothingFoundMessage="Nothing has run to compare with"
          searchable
          allowDeselect={false}
          data={choices}
          value={choices.some(({ items }) => items.some(({ value }) => value === other)) ? other : null}
          onChange={(value) => value !== null && choose(value)}
        />
        <MultiSelect
          size="xs"
          miw={220}
          aria-label="Key columns"
          searchable
          placeholder={keyColumns.length === 0 ? "Key columns; else whole rows" : ""}
          data={names}
          value={keyColumns}
          onChange={(columns) => onCompare({ ...tab.compare, key: columns })}
        />
      </div>
      <Compared run={run} other={compared} keyColumns={keyColumns} onAgain={asked && (() => runAgain(asked))} />
    </>
  );
}

type ComparedProps = {
  run: Run;
  other: Run | undefined;
  keyColumns: readonly string[];
  /** Runs the other statement once more, where it is one of the past. */
  onAgain: (() => void) | undefined;
};

function Compared({ run, other, keyColumns, onAgain }: ComparedProps) {
  const again = onAgain && (
    <Button size="xs" variant="default" onClick={onAgain}>
      Run it now
    </Button>
  );
  if (!other)
    return (
      <Note title="Nothing to compare with yet" action={again}>
        {onAgain
          ? "The statement from the history runs again for it."
          : "Run the statement again, or choose what another tab or an earlier run has brought."}
      </Note>
    );
  if (other.problem)
    return (
      <div className={styles.note}>
        <ErrorNote error={other.problem} onRetry={onAgain} />
      </div>
    );
  for (const one of [other, run])
    if (one.state === "running")
      return (
        <Note
          title={`${STATE_WORDS.running}: ${formatExact(one.rows)} rows so far`}
          action={
            <Button size="xs" variant="default" onClick={() => cancelRun(one.id)}>
              Cancel
            </Button>
          }
        />
      );
  const reason = whyNotCompared(other, run);
  if (reason !== undefined)
    return (
      <Note title="Not compared" action={again}>
        {reason}
      </Note>
    );
  const isFiltered = [run, other].some(({ view }) => view.filters.length > 0);
  return (
    <>
      {isFiltered && (
        <p className={styles.cutLine}>
          One of the results is filtered: rows that its filters leave out are missing in it.
        </p>
      )}
      <Differences key={`${other.id} ${run.id}`} before={other} after={run} keyColumns={keyColumns} />
    </>
  );
}

function Note({ title, action, children }: { title: string; action?: ReactNode; children?: ReactNode }) {
  return (
    <div className={styles.note}>
      <EmptyState title={title} action={action}>
        {children}
      </EmptyState>
    </div>
  );
}
