// Tiles at their places: columns and rows of the grid on a desktop, one below the other on a phone.

import type { ReactNode } from "react";
import type { Tile } from "../../../../kernel/docs/dashboard.ts";
import styles from "./dashboard.module.css";

export const GRID_COLUMNS = 36;

type GridProps = { tiles: readonly Tile[]; columns: number | undefined; children: (tile: Tile) => ReactNode };

export function Grid({ tiles, columns = GRID_COLUMNS, children }: GridProps) {
  const sorted = [...tiles].sort((a, b) => a.y - b.y || a.x - b.x);
  return (
    <div className={styles.grid} style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}>
      {sorted.map((tile) => (
        <div
          key={tile.id}
          className={styles.place}
          style={{
            gridColumn: `${tile.x + 1} / span ${tile.w}`,
            gridRow: `${tile.y + 1} / span ${tile.h}`,
            ["--rows" as string]: tile.h,
          }}
        >
          {children(tile)}
        </div>
      ))}
    </div>
  );
}
