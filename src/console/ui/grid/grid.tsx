// A grid for results of any length: rows by a scaled scroll, columns as far as they are in view, cells made texts when
// they are seen. It is used by mouse, by keys, and through a screen reader.

import {
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ClipboardEvent,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
} from "react";
import { showToast } from "../feedback/toasts.tsx";
import { edgesOf, WIDTH_MIN, widthsOf } from "./column-widths.ts";
import { GridHead, HEAD_HEIGHT, WIDTH_STEP } from "./grid-head.tsx";
import type { GridSource } from "./grid-source.ts";
import { columnsInView, GUTTER_WIDTH, GridView, ROW_HEIGHT } from "./grid-view.ts";
import { spacerHeight } from "./scaled-scroll.ts";
import { boundsOf, cellsOf, COPIED_CELLS_MAX, moved, tsvOf, type Place, type Selection } from "./selection.ts";
import { useGridScroll } from "./use-grid-scroll.ts";
import styles from "./grid.module.css";

type GridProps = {
  source: GridSource;
  /** Rows that are there now: a source grows while its rows come. */
  rowCount: number;
  label: string;
  /** What a column's head opens. */
  menuOf?: ((column: number, close: () => void) => ReactNode) | undefined;
  /** The mark at a head, such as the order's arrow. */
  markOf?: (column: number) => string | undefined;
  /** Says from one grid to the next in its place whether the keyboard was in it. */
  focus?: RefObject<boolean>;
};

const WIDTH_STEPS: Readonly<Record<string, number>> = { "+": WIDTH_STEP, "-": -WIDTH_STEP };

export function Grid({ source, rowCount, label, menuOf, markOf, focus }: GridProps) {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useRef<HTMLDivElement>(null);
  const view = useRef<GridView>(undefined);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const isStarted = rowCount > 0;
  // The first rows decide the widths once; more rows do not move the columns under the reader's eyes.
  const natural = useMemo(() => widthsOf(source), [source, isStarted]);
  const [pulled, setPulled] = useState<Record<number, number>>({});
  const edges = useMemo(() => edgesOf(natural.map((width, at) => pulled[at] ?? width)), [natural, pulled]);
  const [selection, setSelection] = useState<Selection>();
  const [left, setLeft] = useState(0);
  const [opened, setOpened] = useState<number>();
  const extent = { rows: rowCount, rowHeight: ROW_HEIGHT, viewport: Math.max(0, size.height - HEAD_HEIGHT) };
  const draw = () => {
    if (!rows.current || !scroller.current) return;
    view.current ??= new GridView(rows.current, id);
    setLeft(scroller.current.scrollLeft);
    view.current.draw({
      source,
      top: scroll.top(),
      left: scroller.current.scrollLeft,
      width: size.width,
      height: extent.viewport,
      edges,
      selection: selection && boundsOf(selection),
      cursor: selection?.cursor,
    });
  };
  const scroll = useGridScroll(scroller, () => extent, draw);
  useLayoutEffect(draw);

  useEffect(() => {
    const element = scroller.current!;
    const observer = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  useLayoutEffect(() => {
    const element = scroller.current!;
    if (focus?.current && document.activeElement === document.body) element.focus({ preventScroll: true });
    return () => {
      if (focus) focus.current = element.contains(document.activeElement);
    };
  }, [focus]);

  const pull = (column: number, width: number) =>
    setPulled((now) => ({ ...now, [column]: Math.max(WIDTH_MIN, width) }));
  const select = (cursor: Place, isExtending: boolean) => {
    setSelection((now) => ({ anchor: isExtending && now ? now.anchor : cursor, cursor }));
    scroll.showRow(cursor.row);
    showColumn(scroller.current!, edges, cursor.column);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && event.key === "a") {
      event.preventDefault();
      const last = { row: rowCount - 1, column: source.columns.length - 1 };
      setSelection({ anchor: { row: 0, column: 0 }, cursor: last });
      return;
    }
    const at = selection?.cursor.column ?? columnsInView(edges, left, 0).first;
    if (event.key === "Enter" && menuOf && event.target === event.currentTarget) {
      event.preventDefault();
      showColumn(scroller.current!, edges, at);
      setOpened(at);
      return;
    }
    const step = WIDTH_STEPS[event.key];
    if (step !== undefined) return pull(at, edges[at + 1]! - edges[at]! + step);
    const page = Math.max(1, Math.floor(extent.viewport / ROW_HEIGHT) - 1);
    const from = selection?.cursor ?? { row: 0, column: 0 };
    const to = moved(from, event, { rows: rowCount, columns: source.columns.length, page });
    if (!to || rowCount === 0) return;
    event.preventDefault();
    select(to, event.shiftKey);
  };
  const placeOf = (event: PointerEvent): Place => {
    const box = rows.current!.getBoundingClientRect();
    const row = Math.floor((event.clientY - box.top + scroll.top()) / ROW_HEIGHT);
    const x = event.clientX - box.left - GUTTER_WIDTH + scroller.current!.scrollLeft;
    return {
      row: Math.max(0, Math.min(rowCount - 1, row)),
      column: Math.max(0, columnsInView(edges, Math.max(0, x), 0).first),
    };
  };
  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0 || rowCount === 0) return;
    scroller.current!.focus({ preventScroll: true });
    rows.current!.setPointerCapture(event.pointerId);
    const cursor = placeOf(event);
    setSelection((now) => ({ anchor: event.shiftKey && now ? now.anchor : cursor, cursor }));
  };
  const onPointerMove = (event: PointerEvent) => {
    if (!rows.current!.hasPointerCapture(event.pointerId)) return;
    const cursor = placeOf(event);
    if (cursor.row !== selection?.cursor.row || cursor.column !== selection.cursor.column) select(cursor, true);
  };
  const onCopy = (event: ClipboardEvent) => {
    if (!selection) return;
    event.preventDefault();
    const bounds = boundsOf(selection);
    if (cellsOf(bounds) > COPIED_CELLS_MAX)
      showToast(
        `More than ${COPIED_CELLS_MAX.toLocaleString()} cells are not copied at once. Export them instead.`,
        "bad",
      );
    else event.clipboardData.setData("text/plain", tsvOf(source, bounds));
  };
  /** What is chosen in a menu may put another grid in place of this one, which takes the keyboard from here. */
  const leave = (close: () => void) => () => {
    scroller.current?.focus({ preventScroll: true });
    close();
  };
  return (
    <div className={styles.frame}>
      <div
        ref={scroller}
        className={styles.scroller}
        role="grid"
        aria-label={label}
        aria-description={`${menuOf ? "Enter opens the menu of a column; plus" : "Plus"} and minus change its width.`}
        aria-rowcount={rowCount + 1}
        aria-colcount={source.columns.length + 1}
        aria-multiselectable="true"
        aria-activedescendant={selection && `${id}-${selection.cursor.row}-${selection.cursor.column}`}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onCopy={onCopy}
      >
        <div role="presentation" className={styles.layer} style={{ width: size.width, height: size.height }}>
          <GridHead
            source={source}
            edges={edges}
            left={left}
            width={size.width}
            onPull={pull}
            opened={opened}
            onOpen={setOpened}
            menuOf={menuOf && ((column, close) => menuOf(column, leave(close)))}
            markOf={markOf}
          />
          <div
            ref={rows}
            role="rowgroup"
            className={styles.rows}
            onPointerDown={onPointerDown}
            onPointerMove={onPointerMove}
          />
        </div>
        <div
          role="presentation"
          style={{
            width: (edges.at(-1) ?? 0) + GUTTER_WIDTH,
            height: spacerHeight(extent) + HEAD_HEIGHT,
            marginTop: -size.height,
          }}
        />
      </div>
    </div>
  );
}

function showColumn(element: HTMLElement, edges: readonly number[], column: number): void {
  const [start, end] = [edges[column]!, edges[column + 1]!];
  const room = element.clientWidth - GUTTER_WIDTH;
  if (start < element.scrollLeft) element.scrollLeft = start;
  else if (end > element.scrollLeft + room) element.scrollLeft = Math.min(start, end - room);
}
