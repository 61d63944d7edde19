// One table: its columns, its first rows, its snapshots, and its lineage. Which of them is shown is in the address.

import { useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "wouter";
import { useMay } from "../../../api/me.ts";
import { queryHref } from "../../../api/query-link.ts";
import { lakeTableName } from "../../../api/sql-text.ts";
import { Button, Tabs } from "../../../ui/controls.ts";
import { Bytes, Count, Time } from "../../../ui/data/values.tsx";
import { Loaded } from "../../../ui/feedback/states.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { LineagePanel } from "../lineage/lineage-panel.tsx";
import { tableQuery, type TablePlace } from "../queries.ts";
import { ColumnList } from "./column-list.tsx";
import { EditableComment } from "./editable-comment.tsx";
import { Preview } from "./preview.tsx";
import { SnapshotTimeline } from "./snapshot-timeline.tsx";
import styles from "../catalog.module.css";

const TABS = { columns: "Columns", rows: "Rows", snapshots: "Snapshots", lineage: "Lineage" } as const;

export function TablePage({ place }: { place: TablePlace }) {
  const [params, setParams] = useSearchParams();
  const mayWrite = useMay("lake:write");
  const table = useQuery(tableQuery(place));
  const name = lakeTableName(place.schema, place.table);
  const asked = params.get("tab");
  const tab = asked !== null && asked in TABS ? asked : "columns";
  return (
    <Page
      title={`${place.schema}.${place.table}`}
      trail={
        <>
          <Link href={`/catalog?lake=${place.integrationId}`}>Catalog</Link> /{" "}
          <Link href={`/catalog?lake=${place.integrationId}&q=${encodeURIComponent(`${place.schema}.`)}`}>
            {place.schema}
          </Link>
        </>
      }
      actions={
        <Button component={Link} href={queryHref({ text: `SELECT * FROM ${name} LIMIT 100` })} size="xs">
          Query this
        </Button>
      }
    >
      <Loaded query={table}>
        {(found) => (
          <>
            <EditableComment
              place={place}
              target={`TABLE ${name}`}
              comment={found.comment}
              label={`Comment of ${place.table}`}
              mayWrite={mayWrite}
            />
            <div className={styles.facts}>
              <span>
                <Count value={found.row_count} /> rows
              </span>
              <span>
                <Bytes value={found.bytes} /> in <Count value={found.file_count} />{" "}
                {found.file_count === 1 ? "file" : "files"}
              </span>
              <span>
                changed <Time at={found.last_change.at} never="at an unknown time" /> by snapshot{" "}
                {found.last_change.snapshot_id}
              </span>
              <span>
                created <Time at={found.created.at} never="at an unknown time" />
              </span>
            </div>
            <Tabs value={tab} keepMounted={false} onChange={(next) => next && setParams({ tab: next })}>
              <Tabs.List>
                {Object.entries(TABS).map(([value, title]) => (
                  <Tabs.Tab key={value} value={value}>
                    {title}
                  </Tabs.Tab>
                ))}
              </Tabs.List>
              <Tabs.Panel value="columns" pt="md">
                <ColumnList place={place} table={found} mayWrite={mayWrite} />
              </Tabs.Panel>
              <Tabs.Panel value="rows" pt="md">
                <Preview place={place} table={found} />
              </Tabs.Panel>
              <Tabs.Panel value="snapshots" pt="md">
                <SnapshotTimeline place={place} />
              </Tabs.Panel>
              <Tabs.Panel value="lineage" pt="md">
                <LineagePanel place={place} />
              </Tabs.Panel>
            </Tabs>
          </>
        )}
      </Loaded>
    </Page>
  );
}
