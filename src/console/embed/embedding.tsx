// A published dashboard within another page: to be read, with the filters that its token leaves open.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useState } from "react";
import { asProblem } from "../api/problem.ts";
import { toggled, type FilterValues } from "../ui/dashboard/filter-values.ts";
import { Grid } from "../ui/dashboard/grid.tsx";
import { Tile } from "../ui/dashboard/tile.tsx";
import type { TileSource } from "../ui/dashboard/tile-source.ts";
import { useRefresh } from "../ui/dashboard/use-refresh.ts";
import { ErrorNote, LoadingLines } from "../ui/feedback/states.tsx";
import { ThemeProvider } from "../ui/theme/provider.tsx";
import { datasetQuery, definitionQuery, type Definition, type Reader } from "./ask.ts";
import styles from "./embedding.module.css";
import { readerFilters, sentFor } from "./reader-filters.ts";
import { askForToken, useOptions } from "./use-options.ts";

const ROOT = "/embed/dashboards/";
/** Its controls are a sixth of all code, and most dashboards leave nothing open. */
const FilterBar = lazy(async () => ({ default: (await import("../ui/dashboard/filter-bar.tsx")).FilterBar }));

export function Embedding() {
  const { token, theme = "auto", refresh = 0 } = useOptions();
  const path = location.pathname.slice(ROOT.length);
  return (
    <ThemeProvider scheme={theme}>
      <main className={styles.page}>
        {token === undefined ? (
          <Refused />
        ) : (
          // What one token may read is never shown with another.
          <Opened key={token} reader={{ path, token }} refreshSeconds={refresh} />
        )}
      </main>
    </ThemeProvider>
  );
}

function Opened({ reader, refreshSeconds }: { reader: Reader; refreshSeconds: number }) {
  const cache = useQueryClient();
  const definition = useQuery(definitionQuery(reader));
  useRefresh(refreshSeconds, () => void cache.invalidateQueries());
  useRefusals();
  if (definition.error && isRefusal(definition.error)) return <Refused />;
  if (definition.data) return <Drawn definition={definition.data} reader={reader} />;
  if (definition.error) return <ErrorNote error={definition.error} onRetry={() => void definition.refetch()} />;
  return <LoadingLines />;
}

const isRefusal = (error: unknown): boolean => asProblem(error).status === 404;

/** A dataset that is refused means that the token has ended, or that the dashboard is another by now. */
function useRefusals(): void {
  const cache = useQueryClient();
  useEffect(
    () =>
      cache.getQueryCache().subscribe((event) => {
        if (event.type !== "updated" || event.action.type !== "error" || event.query.queryKey[0] !== "dataset") return;
        if (isRefusal(event.action.error)) void cache.invalidateQueries({ queryKey: ["definition"] });
      }),
    [cache],
  );
}

/** One sentence for a token that is missing, has ended or was taken back, and for a dashboard that is not there. */
function Refused() {
  useEffect(askForToken, []);
  return (
    <p role="alert" className={styles.refused}>
      This dashboard can't be shown: what opens it has ended, or opens nothing. Reload the page that it is on.
    </p>
  );
}

function Drawn({ definition, reader }: { definition: Definition; reader: Reader }) {
  const [values, setValues] = useState<FilterValues>({});
  const { title, layout, datasets } = definition;
  const filters = readerFilters(definition);
  const set = (id: string, next: readonly string[]) => setValues((now) => ({ ...now, [id]: next }));
  const toggle = (id: string, value: string) => {
    const filter = filters.find((one) => one.id === id);
    const next = filter && toggled(filter, values, value);
    if (next) set(id, next);
  };
  const source: TileSource = {
    askDataset: (key) => {
      return Object.hasOwn(datasets, key) ? datasetQuery(reader, key, sentFor(definition, key, values)) : undefined;
    },
    askPage: ({ id }) => ({
      queryKey: ["page", reader, id, definition.version],
      queryFn: async () => definition.pages[id] ?? "",
    }),
    framePath: `${location.pathname}/tile-frame`,
  };
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <>
      <h1 className={styles.title}>{title}</h1>
      {filters.length > 0 && (
        <Suspense fallback={<LoadingLines lines={1} />}>
          <FilterBar filters={filters} values={values} onChange={({ id }, next) => set(id, next)} />
        </Suspense>
      )}
      <Grid tiles={layout.tiles} columns={layout.columns}>
        {(tile) => <Tile tile={tile} source={source} filters={filters} onToggle={toggle} />}
      </Grid>
    </>
  );
}
