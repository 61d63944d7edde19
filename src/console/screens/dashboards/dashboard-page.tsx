// One dashboard: its filters, whose state is in the address, its tiles, and how it is refreshed, printed and edited.

import { useIsFetching, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { Link, useSearchParams } from "wouter";
import type { Dashboard, Filter } from "../../../../kernel/docs/dashboard.ts";
import { docQuery, type DocDetail } from "../../api/docs.ts";
import { useMay } from "../../api/me.ts";
import { Button, Choice, useDisclosure } from "../../ui/controls.ts";
import { EmptyState, Loaded } from "../../ui/feedback/states.tsx";
import { Page } from "../../ui/layout/page.tsx";
import type { TileSource } from "../../ui/dashboard/tile-source.ts";
import { EditedGrid } from "./edit/edited-grid.tsx";
import { toggled, valuesOf, withValues, type Dataset } from "../../ui/dashboard/filter-values.ts";
import { FilterBar } from "../../ui/dashboard/filter-bar.tsx";
import { Grid } from "../../ui/dashboard/grid.tsx";
import { Tile } from "../../ui/dashboard/tile.tsx";
import { useRefresh } from "../../ui/dashboard/use-refresh.ts";
import { PublishDialog } from "./publish/publish-dialog.tsx";
import { tilePageQuery } from "./tile-page.ts";
import { datasetQuery } from "./dataset-query.ts";
import styles from "../../ui/dashboard/dashboard.module.css";
import { useSearch } from "../../ui/use-search.ts";

export type Definition = Dashboard & { datasets: Record<string, Dataset> };

export function DashboardPage({ id }: { id: string }) {
  const doc = useQuery(docQuery(id));
  return <Loaded query={doc}>{(found) => <Drawn doc={found} />}</Loaded>;
}

const REFRESHES = { "": "No refresh", "10": "Each 10 s", "60": "Each minute", "300": "Each 5 minutes" };

function Drawn({ doc }: { doc: DocDetail }) {
  const cache = useQueryClient();
  const mayWrite = useMay("docs:write") && doc.archived_at === null;
  const mayPublish = useMay("endpoints:manage") && doc.archived_at === null;
  const [isPublishing, publishing] = useDisclosure(false);
  const [, setSearch] = useSearchParams();
  const [search, changeSearch] = useSearch();
  const board = useRef<HTMLDivElement>(null);
  const { filters = [], layout, tiles: loose, datasets } = doc.definition as Definition;
  const tiles = layout?.tiles ?? loose ?? [];
  const values = valuesOf(filters, search);
  const isEdited = mayWrite && search.get("edit") === "1";
  const seconds = search.get("refresh") ?? "";
  const isFetching = useIsFetching({ queryKey: ["dashboards", doc.id] }) > 0;
  const refresh = () => void cache.invalidateQueries({ queryKey: ["dashboards", doc.id] });
  useRefresh(Number(seconds), refresh);
  const set = (filter: Filter, next: readonly string[]) => setSearch((now) => withValues(now, filter, next));
  const toggle = (filterId: string, value: string) => {
    const filter = filters.find(({ id }) => id === filterId);
    const next = filter && toggled(filter, values, value);
    if (next) set(filter, next);
  };
  const source: TileSource = {
    askDataset: (key) => {
      const dataset = datasets[key];
      return dataset && datasetQuery({ doc, key, dataset, filters, values });
    },
    askPage: (tile) => tilePageQuery(doc.id, tile),
    framePath: "/app/tile-frame",
  };
  return (
    <Page
      title={doc.name}
      lead={doc.description}
      trail={<Link href="/dashboards">Dashboards</Link>}
      actions={
        <>
          <Choice
            size="xs"
            w={130}
            aria-label="Refresh by itself"
            value={seconds}
            data={REFRESHES}
            onChange={(value) => changeSearch({ refresh: value || undefined })}
          />
          <Button size="xs" variant="default" loading={isFetching} onClick={refresh}>
            Refresh
          </Button>
          <Button size="xs" variant="default" onClick={() => void board.current?.requestFullscreen()}>
            Full screen
          </Button>
          <Button size="xs" variant="default" onClick={() => window.print()}>
            Print
          </Button>
          {mayPublish && (
            <Button size="xs" variant="default" onClick={publishing.open}>
              Publish
            </Button>
          )}
          {mayWrite && (
            <Button
              size="xs"
              variant={isEdited ? "filled" : "default"}
              onClick={() => changeSearch({ edit: isEdited ? undefined : "1" })}
            >
              {isEdited ? "Stop editing" : "Edit"}
            </Button>
          )}
        </>
      }
    >
      {mayPublish && (
        <PublishDialog doc={doc} parameters={parametersOf(datasets)} isOpen={isPublishing} onClose={publishing.close} />
      )}
      <FilterBar filters={filters} values={values} onChange={set} />
      <div ref={board} className={styles.board}>
        {tiles.length === 0 ? (
          <EmptyState
            title="It has no tiles yet"
            action={<Link href={`/docs/${doc.id}?tab=text`}>Open its text</Link>}
          />
        ) : isEdited ? (
          <EditedGrid
            doc={doc}
            tiles={tiles}
            columns={layout?.columns}
            onDone={() => changeSearch({ edit: undefined })}
          />
        ) : (
          <Grid tiles={tiles} columns={layout?.columns}>
            {(tile) => <Tile tile={tile} source={source} filters={filters} onToggle={toggle} />}
          </Grid>
        )}
      </div>
    </Page>
  );
}

const parametersOf = (datasets: Definition["datasets"]): string[] => [
  ...new Set(Object.values(datasets).flatMap(({ parameters }) => Object.keys((parameters ?? {}) as object))),
];
