// One tile of a dashboard. It asks for its dataset once it comes into view.

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { kpisOf } from "../../../../kernel/docs/draw/kpi.ts";
import { isChart } from "../../../../kernel/docs/draw/charts/chart-context.ts";
import type { Filter, Tile as TileOf } from "../../../../kernel/docs/dashboard.ts";
import type { Viz } from "../../../../kernel/docs/viz.ts";
import { ChartView, type ChartClick } from "../charts/lazy.ts";
import { ErrorNote, LoadingLines } from "../feedback/states.tsx";
import styles from "./dashboard.module.css";
import { HtmlTile } from "./html-tile.tsx";
import { Markdown } from "./markdown.tsx";
import { TableTile } from "./table-tile.tsx";
import { KEPT, type TileQuery, type DatasetResult, type SourcedTile, type TileSource } from "./tile-source.ts";
import { useSeen } from "../use-seen.ts";

type TileProps = {
  tile: TileOf;
  source: TileSource;
  filters: readonly Filter[];
  /** Somebody clicks on a value of a filter. */
  onToggle: (filterId: string, value: string) => void;
};

export function Tile({ tile, source, filters, onToggle }: TileProps) {
  const [place, isSeen] = useSeen("200px");
  return (
    <article ref={place} className={styles.tile} aria-label={tile.title ?? tile.id}>
      {tile.title && (
        <h2 className={styles.head} title={tile.description ?? tile.title}>
          {tile.title}
        </h2>
      )}
      {tile.type === "markdown" ? (
        <div className={styles.body}>
          <Markdown text={tile.content} />
        </div>
      ) : tile.type === "html" ? (
        isSeen && <HtmlTile tile={tile} source={source} />
      ) : tile.type === "kpi" || tile.type === "chart" || tile.type === "table" ? (
        isSeen && <Sourced tile={tile} source={source} filters={filters} onToggle={onToggle} />
      ) : (
        <p className={styles.notes}>A tile of the kind {(tile as { type: string }).type} is not drawn here.</p>
      )}
    </article>
  );
}

function Sourced({ tile, source, filters, onToggle }: TileProps & { tile: SourcedTile }) {
  const asked = source.askDataset(tile.source);
  if (!asked) return <p className={styles.notes}>The dashboard has no dataset {tile.source}.</p>;
  return <Drawn tile={tile} asked={asked} filters={filters} onToggle={onToggle} />;
}

type DrawnProps = Pick<TileProps, "filters" | "onToggle"> & { tile: SourcedTile; asked: TileQuery<DatasetResult> };

function Drawn({ tile, asked, filters, onToggle }: DrawnProps) {
  // While another filter is asked for, what was there stays in view.
  const result = useQuery({ ...asked, ...KEPT, placeholderData: keepPreviousData });
  if (result.error) return <ErrorNote error={result.error} onRetry={() => void result.refetch()} />;
  if (!result.data) return <LoadingLines lines={3} />;
  const { table, notes } = result.data;
  return (
    <>
      <div className={styles.body} data-busy={result.isPlaceholderData || undefined}>
        <Suspense fallback={<LoadingLines lines={3} />}>
          <Picture tile={tile} table={table} filters={filters} onToggle={onToggle} />
        </Suspense>
      </div>
      {notes.length > 0 && <p className={styles.notes}>{notes.join(" ")}</p>}
    </>
  );
}

type PictureProps = Pick<TileProps, "filters" | "onToggle"> & { tile: SourcedTile; table: DatasetResult["table"] };

function Picture({ tile, table, filters, onToggle }: PictureProps) {
  const viz = tile.viz as Viz | undefined;
  if (viz && !("type" in viz))
    return <p className={styles.notes}>Its columns are named by their place. Save the doc once more.</p>;
  if (viz?.type === "kpi")
    return (
      <div className={styles.kpi}>
        {kpisOf(viz, table).map(({ label, value, comparison, note }) => (
          <div key={label}>
            <span>{label}</span>
            <strong>{value}</strong>
            {comparison && <span>{comparison}</span>}
            {note && <span>{note}</span>}
          </div>
        ))}
      </div>
    );
  if (viz && isChart(viz)) {
    const filter = filters.find(({ id }) => id === viz.onClick?.filter);
    const onClick =
      filter &&
      (({ name, series }: ChartClick) => {
        const target = filter.target.field ?? filter.target.dimension;
        const value = viz.color && viz.color.field === target ? series : name;
        if (value) onToggle(filter.id, value);
      });
    return <ChartView label={tile.title ?? tile.id} viz={viz} table={table} onClick={onClick} />;
  }
  return <TableTile label={tile.title ?? tile.id} viz={viz} table={table} filters={filters} onToggle={onToggle} />;
}
