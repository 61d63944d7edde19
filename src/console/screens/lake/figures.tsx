// A lake shows its figures, what is to be said of it, and its bytes by the catalog beside those of the store.

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { components } from "../../api/schema.d.ts";
import { formatBytes, formatCount } from "../../ui/data/format.ts";
import { State, Time, type Tone } from "../../ui/data/values.tsx";
import { Loaded } from "../../ui/feedback/states.tsx";
import { Panel } from "../../ui/layout/page.tsx";
import { storageQuery } from "./queries.ts";
import styles from "./lake.module.css";

type Health = components["schemas"]["LakeHealth"];
type Storage = components["schemas"]["LakeStorage"];
export type Grade = Health["grade"];

export const GRADES: Record<Grade, Tone> = { good: "good", fair: "warn", poor: "bad", unknown: "quiet" };

export function FiguresPanel({ health }: { health: Health }) {
  const { grade, findings, figures, orphans, measuredAt } = health;
  const percent = (share: number) => `${Math.round(share * 100)}%`;
  return (
    <Panel title="Health" actions={<State tone={GRADES[grade]}>{grade}</State>}>
      {findings.length > 0 && (
        <ul className={styles.findings}>
          {findings.map(({ code, grade: own, message }) => (
            <li key={`${code} ${message}`}>
              <State tone={GRADES[own]}>{own}</State> <span>{message}</span>
            </li>
          ))}
        </ul>
      )}
      {figures && (
        <dl className={styles.figures}>
          <Figure title="Files" note={`${formatCount(figures.tables)} tables`}>
            {formatCount(figures.files)}
          </Figure>
          <Figure title="Small files" note={percent(figures.smallFileShare)}>
            {formatCount(figures.smallFiles)}
          </Figure>
          <Figure title="Rows" note={`${formatCount(figures.deletedRows)} deleted, ${percent(figures.deleteRatio)}`}>
            {formatCount(figures.rows)}
          </Figure>
          <Figure title="Delete files">{formatCount(figures.deleteFiles)}</Figure>
          <Figure
            title="Snapshots"
            note={
              figures.oldestSnapshotAt && (
                <>
                  oldest <Time at={figures.oldestSnapshotAt} />
                </>
              )
            }
          >
            {formatCount(figures.snapshots)}
          </Figure>
          <Figure title="Orphans" note={orphans ? formatBytes(orphans.bytes) : "not measured"}>
            {orphans ? formatCount(orphans.objects) : "unknown"}
          </Figure>
          <Figure title="To be deleted" note={formatBytes(figures.scheduled.bytes)}>
            {formatCount(figures.scheduled.files)}
          </Figure>
        </dl>
      )}
      <small>
        measured <Time at={measuredAt} />
      </small>
    </Panel>
  );
}

type FigureProps = { title: string; note?: ReactNode; children: ReactNode };

const Figure = ({ title, note, children }: FigureProps) => (
  <div>
    <dt>{title}</dt>
    <dd>
      {children}
      {note && <small>{note}</small>}
    </dd>
  </div>
);

export function StoragePanel({ integrationId }: { integrationId: string }) {
  const storage = useQuery(storageQuery(integrationId));
  return (
    <Panel title="Bytes">
      <Loaded query={storage}>{(found) => <StorageBars storage={found} />}</Loaded>
    </Panel>
  );
}

function StorageBars({ storage: { tracked, actual, difference } }: { storage: Storage }) {
  if (actual === null)
    return <p>The catalog knows {formatBytes(tracked.bytes)}; what the store holds has not been measured yet.</p>;
  const most = Math.max(1, tracked.bytes, actual.bytes);
  const width = (bytes: number) => ({ width: `${(bytes / most) * 100}%` });
  const known = Math.min(actual.bytes, tracked.bytes);
  const others = Math.max(0, actual.bytes - tracked.bytes);
  return (
    <div className={styles.bars}>
      <div className={styles.bar}>
        <span className={styles.words}>
          <span>The catalog knows</span> <b>{formatBytes(tracked.bytes)}</b>
        </span>
        <div
          className={styles.track}
          role="img"
          aria-label={`${formatBytes(tracked.current)} current, ${formatBytes(tracked.keptForSnapshots)} kept for snapshots`}
        >
          <span data-kind="current" style={width(tracked.current)} />
          <span data-kind="kept" style={width(tracked.keptForSnapshots)} />
        </div>
      </div>
      <div className={styles.bar}>
        <span className={styles.words}>
          <span>The store holds, in {formatCount(actual.objects)} objects</span> <b>{formatBytes(actual.bytes)}</b>
        </span>
        <div
          className={styles.track}
          role="img"
          aria-label={`${formatBytes(known)} known to the catalog, ${formatBytes(others)} not`}
        >
          <span data-kind="current" style={width(known)} />
          <span data-kind="other" style={width(others)} />
        </div>
      </div>
      <div className={styles.legend}>
        <span>
          <i data-kind="current" />
          current
        </span>
        <span>
          <i data-kind="kept" />
          kept for snapshots: {formatBytes(tracked.keptForSnapshots)}
        </span>
        <span>
          <i data-kind="other" />
          beyond the catalog
          {difference && (
            <>
              : {formatBytes(difference.scheduled.bytes)} to be deleted, {formatBytes(difference.tooYoung.bytes)} too
              young to judge, {formatBytes(difference.orphaned.bytes)} orphaned
            </>
          )}
        </span>
      </div>
    </div>
  );
}
