// A list of which only the items in view are drawn, so that ten thousand are as quick as ten.

import { useState, type ReactNode } from "react";
import styles from "./virtual-list.module.css";

type VirtualListProps<Item> = {
  label: string;
  items: readonly Item[];
  /** The height of each item, in pixels. */
  itemHeight: number;
  /** The height of the whole list at most, in pixels. */
  heightMax: number;
  keyOf(item: Item): string;
  children: (item: Item) => ReactNode;
};

const SPARE = 8;

export function VirtualList<Item>({ label, items, itemHeight, heightMax, keyOf, children }: VirtualListProps<Item>) {
  const [top, setTop] = useState(0);
  const height = Math.min(heightMax, Math.max(1, items.length) * itemHeight);
  const first = Math.max(0, Math.floor(top / itemHeight) - SPARE);
  const last = Math.min(items.length, Math.ceil((top + height) / itemHeight) + SPARE);
  return (
    <div
      className={styles.frame}
      role="list"
      aria-label={label}
      tabIndex={0}
      style={{ height }}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <div className={styles.inner} style={{ height: items.length * itemHeight }}>
        {items.slice(first, last).map((item, index) => (
          <div
            key={keyOf(item)}
            className={styles.item}
            role="listitem"
            aria-setsize={items.length}
            aria-posinset={first + index + 1}
            style={{ top: (first + index) * itemHeight, height: itemHeight }}
          >
            {children(item)}
          </div>
        ))}
      </div>
    </div>
  );
}
