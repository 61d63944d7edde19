// A tile that is a page of its own: in a frame without an origin and without a network, which is handed the rows of the
// datasets that the tile names.

import { keepPreviousData, useQueries, useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { ErrorNote, LoadingLines } from "../feedback/states.tsx";
import { useIsDark } from "../theme/provider.tsx";
import styles from "./dashboard.module.css";
import { frameData, readFrameMessage } from "./frame-messages.ts";
import { KEPT, type DatasetResult, type HtmlTileOf, type TileSource } from "./tile-source.ts";

type HtmlTileProps = { tile: HtmlTileOf; source: TileSource };

export function HtmlTile({ tile, source }: HtmlTileProps) {
  const page = useQuery({ ...source.askPage(tile), staleTime: KEPT.staleTime });
  const asked = (tile.datasets ?? []).flatMap((key) => {
    const one = source.askDataset(key);
    return one ? [{ key, ...one }] : [];
  });
  const results = useQueries({
    queries: asked.map(({ queryKey, queryFn }) => ({ queryKey, queryFn, ...KEPT, placeholderData: keepPreviousData })),
  });
  if (page.error) return <ErrorNote error={page.error} onRetry={() => void page.refetch()} />;
  if (page.data === undefined) return <LoadingLines lines={3} />;
  const found = results.flatMap(({ data }, at) => (data ? [[asked[at]!.key, data] as const] : []));
  const notes = [
    ...results.flatMap(({ error }, at) => (error ? [`${asked[at]!.key}: ${error.message}`] : [])),
    ...found.flatMap(([, { notes: own }]) => own),
  ];
  return (
    <>
      <div className={styles.body}>
        <TileFrame
          // Another page gets a frame of its own.
          key={page.data}
          title={tile.title ?? tile.id}
          path={source.framePath}
          html={page.data}
          datasets={found}
        />
      </div>
      {notes.length > 0 && <p className={styles.notes}>{notes.join(" ")}</p>}
    </>
  );
}

type TileFrameProps = {
  title: string;
  path: string;
  html: string;
  datasets: readonly (readonly [string, DatasetResult])[];
};

function TileFrame({ title, path, html, datasets }: TileFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [isReady, setIsReady] = useState(false);
  const [height, setHeight] = useState<number>();
  const theme = useIsDark() ? "dark" : "light";
  // The frame has no origin that it could be addressed by.
  const send = (message: object) => frame.current?.contentWindow?.postMessage(message, "*");
  useEffect(() => {
    const hear = ({ source, data }: MessageEvent<unknown>) => {
      if (source !== frame.current?.contentWindow) return;
      const said = readFrameMessage(data);
      if (said && "height" in said) setHeight(said.height);
      else if (said) setIsReady(true);
    };
    addEventListener("message", hear);
    return () => removeEventListener("message", hear);
  }, []);
  useEffect(() => {
    if (isReady) send({ type: "page", html });
  }, [isReady, html]);
  const sent = useRef<readonly unknown[]>([]);
  useEffect(() => {
    const state = [isReady, theme, ...datasets.flatMap(([key, { table }]) => [key, table])];
    if (!isReady || (state.length === sent.current.length && state.every((part, at) => part === sent.current[at])))
      return;
    sent.current = state;
    const all = Object.fromEntries(datasets.map(([key, { table }]) => [key, frameData(table)]));
    send({ type: "data", datasets: all, theme });
  });
  return (
    <iframe
      ref={frame}
      className={styles.frame}
      style={height === undefined ? undefined : { height }}
      title={title}
      src={path}
      sandbox="allow-scripts"
      referrerPolicy="no-referrer"
    />
  );
}
