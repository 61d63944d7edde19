// A tab's result is compared with the run before of the tab, with what another tab shows, or with a statement of the
// past, which runs again for it. Pure.

import { namesChange } from "../../../../../../kernel/text/write-verbs.ts";
import { formatBytes, formatExact, relativeTime } from "../../../../ui/data/format.ts";
import type { PastRun } from "../../keep/history.ts";
import type { Run } from "../../run/run.ts";
import { blanked, isWrappable } from "../../text/statements.ts";
import { sharedColumns } from "./diff-rows.ts";

/** What the browser compares of each result. */
const COMPARED = { rowsMax: 200_000, bytesMax: 64_000_000 } as const;
const PAST_MAX = 40;
const SQL_CHARACTERS_MAX = 70;

export const BEFORE = "before";
const TAB = "tab:";
const PAST = "again:";

/** What was chosen, read back from its value. */
export type ComparedWith = { kind: "before" } | { kind: "tab"; tabId: string } | { kind: "past"; pastId: string };

export function readComparedWith(value: string | undefined): ComparedWith {
  if (value?.startsWith(TAB)) return { kind: "tab", tabId: value.slice(TAB.length) };
  if (value?.startsWith(PAST)) return { kind: "past", pastId: value.slice(PAST.length) };
  return { kind: "before" };
}

export type Choice = { value: string; label: string };
export type Choices = { group: string; items: Choice[] }[];

type Comparable = {
  before: Run | undefined;
  tabs: readonly { id: string; title: string; run: Run | undefined }[];
  past: readonly PastRun[];
  now: number;
};

/** Runs are offered that have rows, and statements of the history that answer some. */
export function choicesOf({ before, tabs, past, now }: Comparable): Choices {
  const rowsOf = ({ rows }: { rows: number }) => `${formatExact(rows)} rows`;
  const groups = [
    {
      group: "This tab",
      items: before?.source
        ? [{ value: BEFORE, label: `The run before, ${relativeTime(before.startedAt, now)}: ${rowsOf(before)}` }]
        : [],
    },
    {
      group: "Other tabs",
      items: tabs.flatMap(({ id, title, run }) =>
        run?.source ? [{ value: TAB + id, label: `${title}: ${rowsOf(run)}` }] : [],
      ),
    },
    {
      group: "From the history; runs again now",
      items: past
        .filter(({ sql, state }) => state === "done" && mayRunAgain(sql))
        .slice(0, PAST_MAX)
        .map(({ id, sql, at }) => ({ value: PAST + id, label: `${relativeTime(at, now)}: ${shortened(sql)}` })),
    },
  ];
  return groups.filter(({ items }) => items.length > 0);
}

/** Choosing a statement runs it: none that may write is offered. WITH begins statements of both kinds. */
const mayRunAgain = (sql: string): boolean => isWrappable(sql) && !namesChange(blanked(sql));

/** Why two results are not compared: with a part of one, rows would seem to be missing. */
export function whyNotCompared(before: Run, after: Run): string | undefined {
  const flaw = flawOf(after, "This result") ?? flawOf(before, "The other result");
  if (flaw !== undefined || !before.source || !after.source) return flaw;
  return sharedColumns(before.source, after.source).length > 0 ? undefined : "No column has the same name in both.";
}

function flawOf({ state, source, rows, bytes, isCut, isReleased }: Run, name: string): string | undefined {
  if (isReleased) return `${name} was let go, as other tabs needed the room. Run it again.`;
  if (state !== "done" || !source) return `${name} did not come to its end, so that not all of its rows are known.`;
  if (isCut) return `${name} is longer than what the browser keeps of it.`;
  if (rows <= COMPARED.rowsMax && bytes <= COMPARED.bytesMax) return undefined;
  return (
    `Results of up to ${formatExact(COMPARED.rowsMax)} rows and ${formatBytes(COMPARED.bytesMax)} are compared. ` +
    `${name} has ${formatExact(rows)} rows and ${formatBytes(bytes)}: filter both, or sum them up.`
  );
}

function shortened(sql: string): string {
  const line = sql.trim().replace(/\s+/g, " ");
  return line.length <= SQL_CHARACTERS_MAX ? line : `${line.slice(0, SQL_CHARACTERS_MAX - 1)}…`;
}
