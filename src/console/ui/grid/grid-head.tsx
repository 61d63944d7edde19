// The head of a grid: the columns' names and types, a menu for each, and a handle that makes it wider.

import { Popover } from "@mantine/core";
import { useState, type KeyboardEvent, type PointerEvent, type ReactNode } from "react";
import { WIDTH_MIN } from "./column-widths.ts";
import type { GridSource } from "./grid-source.ts";
import { columnsInView, GUTTER_WIDTH } from "./grid-view.ts";
import styles from "./grid.module.css";

export const HEAD_HEIGHT = 30;
export const WIDTH_STEP = 16;

type GridHeadProps = {
  source: GridSource;
  edges: readonly number[];
  left: number;
  width: number;
  onPull: (column: number, width: number) => void;
  /** The column whose menu is open. */
  opened: number | undefined;
  onOpen: (column: number | undefined) => void;
  menuOf: ((column: number, close: () => void) => ReactNode) | undefined;
  markOf: ((column: number) => string | undefined) | undefined;
};

/** The grid is one stop of the keyboard: its cells open the menus of their columns, whose heads are no stops. */
export function GridHead(props: GridHeadProps) {
  const { source, edges, left, width, onPull, opened, onOpen, menuOf, markOf } = props;
  if (source.columns.length === 0) return null;
  const { first, last } = columnsInView(edges, left, width - GUTTER_WIDTH);
  const shown = Array.from({ length: last - first + 1 }, (_, slot) => first + slot);
  const close = () => onOpen(undefined);
  return (
    <div className={styles.head} role="row" aria-rowindex={1} tabIndex={-1}>
      {shown.map((column) => {
        const { name, type, isNumber } = source.columns[column]!;
        const mark = markOf?.(column);
        return (
          <div
            key={column}
            role="columnheader"
            tabIndex={-1}
            aria-colindex={column + 2}
            className={styles.headCell}
            style={{
              transform: `translateX(${edges[column]! - left + GUTTER_WIDTH}px)`,
              width: edges[column + 1]! - edges[column]!,
            }}
          >
            <Popover
              opened={opened === column}
              onChange={(isOpen) => !isOpen && close()}
              position="bottom-start"
              width={300}
              shadow="md"
              trapFocus
              returnFocus
              withinPortal
            >
              <Popover.Target>
                <button
                  type="button"
                  tabIndex={-1}
                  className={styles.headButton}
                  title={type === "" ? name : `${name}: ${type}`}
                  data-number={isNumber || undefined}
                  aria-haspopup={menuOf && "dialog"}
                  onClick={() => menuOf && onOpen(opened === column ? undefined : column)}
                >
                  <span>{name}</span>
                  <span className={styles.type}>{type.toLowerCase()}</span>
                  {mark && <span className={styles.sorted}>{mark}</span>}
                </button>
              </Popover.Target>
              <Popover.Dropdown onKeyDown={(event) => event.key !== "Escape" && event.stopPropagation()}>
                {opened === column && menuOf?.(column, close)}
              </Popover.Dropdown>
            </Popover>
            <Handle
              name={name}
              width={edges[column + 1]! - edges[column]!}
              onPull={(wanted) => onPull(column, wanted)}
            />
          </div>
        );
      })}
      <div className={`${styles.gutter} ${styles.corner}`} role="columnheader" tabIndex={-1} aria-label="Row" />
    </div>
  );
}

function Handle({ name, width, onPull }: { name: string; width: number; onPull: (width: number) => void }) {
  const [start, setStart] = useState<{ x: number; width: number }>();
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -WIDTH_STEP, ArrowRight: WIDTH_STEP }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onPull(width + step);
  };
  return (
    <span
      role="slider"
      aria-label={`Width of ${name}`}
      aria-valuenow={width}
      aria-valuemin={WIDTH_MIN}
      tabIndex={-1}
      className={styles.handle}
      onKeyDown={onKeyDown}
      onPointerDown={(event: PointerEvent<HTMLElement>) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setStart({ x: event.clientX, width });
      }}
      onPointerMove={(event) => start && onPull(start.width + event.clientX - start.x)}
      onPointerUp={() => setStart(undefined)}
    />
  );
}
