// A table of a list that comes in pages: its rows so far, how many there are, and a button for more.

import { Button, Group } from "@mantine/core";
import type { ReactNode } from "react";
import type { Pages } from "../../api/pages.ts";
import { ErrorNote, LoadingLines } from "../feedback/states.tsx";
import { ListTable, type Column } from "./list-table.tsx";
import styles from "./list-table.module.css";

type PagedTableProps<Row> = {
  label: string;
  pages: Pages<Row>;
  keyOf(row: Row): string;
  columns: readonly Column<Row>[];
  /** What stands there when the list is empty. */
  empty: ReactNode;
};

export function PagedTable<Row>({ label, pages, keyOf, columns, empty }: PagedTableProps<Row>) {
  if (pages.error) return <ErrorNote error={pages.error} onRetry={pages.refetch} />;
  if (!pages.items) return <LoadingLines />;
  // A page may be empty though there are more.
  if (pages.items.length === 0 && !pages.showMore) return <>{empty}</>;
  return (
    <div className={styles.paged}>
      <ListTable label={label} rows={pages.items} keyOf={keyOf} columns={columns} />
      {pages.showMore && (
        <Group gap="sm">
          <Button variant="default" size="xs" loading={pages.isLoadingMore} onClick={pages.showMore}>
            Show more
          </Button>
          {pages.total !== undefined && (
            <span className={styles.count}>
              {pages.items.length} of {pages.total}
            </span>
          )}
        </Group>
      )}
    </div>
  );
}
