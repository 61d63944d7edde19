// The drive: the team's files by folder; uploaded by a button or by dropping them, looked at and deleted here.

import { useQueryClient } from "@tanstack/react-query";
import { useState, type DragEvent, type ReactNode } from "react";
import { Link, useSearchParams } from "wouter";
import { api, bodyOf } from "../../api/client.ts";
import type { components } from "../../api/schema.d.ts";
import { Button, Drawer, FileButton, UnstyledButton } from "../../ui/controls.ts";
import { PagedTable } from "../../ui/data/paged-table.tsx";
import { Bytes, Time } from "../../ui/data/values.tsx";
import { EmptyState } from "../../ui/feedback/states.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { FileView } from "./file-view.tsx";
import { crumbsOf } from "./files.ts";
import { UploadList } from "./upload/upload-list.tsx";
import { uploadFiles } from "./upload/uploads.ts";
import styles from "./drive.module.css";
import { useCursorPages, type Pages } from "../../api/pages.ts";

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
  const pages = useCursorPages<Entry>(["drive", "files", prefix], async (from) => {
    const query = { prefix, delimiter: "/" as const, limit: PAGE_FILES, ...(from !== null && { cursor: from }) };
    const { folders, files, cursor } = await bodyOf(api.GET("/v3/drive/files", { params: { query } }));
    return { items: [...folders.map((folder) => ({ folder })), ...files.map((file) => ({ file }))], cursor };
  });
  const refresh = () => void cache.invalidateQueries({ queryKey: ["drive", "files"] });
  const upload = (files: readonly File[]) => void uploadFiles(files, prefix, refresh);
  const opened = pages.items?.find((entry) => "file" in entry && entry.file.path === openPath);
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
        <Entries
          pages={pages}
          prefix={prefix}
          onOpen={openFile}
          empty={
            <EmptyState title={prefix ? "This folder is empty" : "The drive is empty"}>
              Upload a CSV, a Parquet or a JSON file, and query it like a table.
            </EmptyState>
          }
        />
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

type EntriesProps = { pages: Pages<Entry>; prefix: string; onOpen: (path: string) => void; empty: ReactNode };

function Entries({ pages, prefix, onOpen, empty }: EntriesProps) {
  return (
    <PagedTable
      label="Files"
      pages={pages}
      empty={empty}
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
