// The drive: the team's files by folder; uploaded by a button or by dropping them, looked at and deleted here.

import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type DragEvent } from "react";
import { Link, useSearchParams } from "wouter";
import { api, bodyOf } from "../../api/client.ts";
import type { components } from "../../api/schema.d.ts";
import { Button, Drawer, FileButton, Group, UnstyledButton } from "../../ui/controls.ts";
import { ListTable } from "../../ui/data/list-table.tsx";
import { Bytes, Time } from "../../ui/data/values.tsx";
import { EmptyState, ErrorNote, LoadingLines } from "../../ui/feedback/states.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { FileView } from "./file-view.tsx";
import { crumbsOf } from "./files.ts";
import { UploadList } from "./upload/upload-list.tsx";
import { uploadFiles } from "./upload/uploads.ts";
import styles from "./drive.module.css";

type DriveFile = components["schemas"]["DriveFile"];
type Entry = { folder: string } | { file: DriveFile };

const PAGE_FILES = 500;

const folderHref = (prefix: string): string => (prefix ? `/drive?path=${encodeURIComponent(prefix)}` : "/drive");

export default function DriveScreen() {
  const [params, setParams] = useSearchParams();
  const cache = useQueryClient();
  const [isOver, setOver] = useState(false);
  const prefix = params.get("path") ?? "";
  const openPath = params.get("file");
  const list = useInfiniteQuery({
    queryKey: ["drive", "files", prefix],
    queryFn: ({ pageParam }) =>
      bodyOf(
        api.GET("/v3/drive/files", {
          params: {
            query: { prefix, delimiter: "/", limit: PAGE_FILES, ...(pageParam !== null && { cursor: pageParam }) },
          },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor,
  });
  const refresh = () => void cache.invalidateQueries({ queryKey: ["drive", "files"] });
  const upload = (files: readonly File[]) => void uploadFiles(files, prefix, refresh);
  const entries: Entry[] | undefined = list.data?.pages.flatMap((page) => [
    ...page.folders.map((folder) => ({ folder })),
    ...page.files.map((file) => ({ file })),
  ]);
  const opened = entries?.find((entry) => "file" in entry && entry.file.path === openPath);
  const openFile = (path: string | null) =>
    setParams({ ...(prefix && { path: prefix }), ...(path !== null && { file: path }) });
  const button = (
    <FileButton multiple onChange={upload}>
      {(props) => (
        <Button {...props} leftSection={<Icon name="upload" size={16} />}>
          Upload
        </Button>
      )}
    </FileButton>
  );
  return (
    <Page
      title="Drive"
      lead="The team's files, for scripts and for SQL. Drop files anywhere here to upload them."
      actions={button}
    >
      <section
        className={styles.drop}
        aria-label="Files"
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event: DragEvent) => {
          event.preventDefault();
          setOver(false);
          upload([...event.dataTransfer.files]);
        }}
      >
        <nav className={styles.crumbs} aria-label="Folders">
          <Link href="/drive">drive</Link>
          {crumbsOf(prefix).map((crumb) => (
            <span key={crumb.prefix}>
              / <Link href={folderHref(crumb.prefix)}>{crumb.name}</Link>
            </span>
          ))}
        </nav>
        <UploadList onDone={refresh} />
        {list.error && !entries && <ErrorNote error={list.error} onRetry={() => void list.refetch()} />}
        {list.isPending && <LoadingLines />}
        {entries?.length === 0 && (
          <EmptyState title={prefix ? "This folder is empty" : "The drive is empty"}>
            Upload a CSV, a Parquet or a JSON file, and query it like a table.
          </EmptyState>
        )}
        {entries && entries.length > 0 && <Entries entries={entries} prefix={prefix} onOpen={openFile} />}
        {list.hasNextPage && (
          <Group>
            <Button
              variant="default"
              size="xs"
              loading={list.isFetchingNextPage}
              onClick={() => void list.fetchNextPage()}
            >
              Show more
            </Button>
          </Group>
        )}
      </section>
      <Drawer
        opened={opened !== undefined}
        onClose={() => openFile(null)}
        position="right"
        size="xl"
        title={openPath?.slice(prefix.length)}
      >
        {opened && "file" in opened && (
          <FileView
            key={opened.file.etag}
            file={opened.file}
            onGone={() => {
              openFile(null);
              refresh();
            }}
          />
        )}
      </Drawer>
    </Page>
  );
}

type EntriesProps = { entries: readonly Entry[]; prefix: string; onOpen: (path: string) => void };

function Entries({ entries, prefix, onOpen }: EntriesProps) {
  return (
    <ListTable
      label="Files"
      rows={entries}
      keyOf={(entry) => ("file" in entry ? entry.file.path : entry.folder)}
      columns={[
        {
          name: "Name",
          cell: (entry) => (
            <span className={styles.entry}>
              <Icon name={"file" in entry ? "file" : "folder"} size={15} />
              {"file" in entry ? (
                <UnstyledButton c="var(--link)" fz="inherit" onClick={() => onOpen(entry.file.path)}>
                  {entry.file.path.slice(prefix.length)}
                </UnstyledButton>
              ) : (
                <Link href={folderHref(entry.folder)}>{entry.folder.slice(prefix.length)}</Link>
              )}
            </span>
          ),
        },
        { name: "Size", isNumber: true, cell: (entry) => ("file" in entry ? <Bytes value={entry.file.bytes} /> : "") },
        { name: "Changed", cell: (entry) => ("file" in entry ? <Time at={entry.file.modified_at} /> : "") },
      ]}
    />
  );
}
