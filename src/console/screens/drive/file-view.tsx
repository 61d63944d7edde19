// One file: what it is, its first rows or its picture, and the ways to get, query and delete it.

import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link } from "wouter";
import { api, bodyOf } from "../../api/client.ts";
import type { components } from "../../api/schema.d.ts";
import { queryHref } from "../../api/query-link.ts";
import { runStatement } from "../../api/statement.ts";
import { Button, Group, Stack } from "../../ui/controls.ts";
import { RowsTable } from "../../ui/data/rows-table.tsx";
import { Bytes, Time } from "../../ui/data/values.tsx";
import { EmptyState, ErrorNote, LoadingLines } from "../../ui/feedback/states.tsx";
import { useAction } from "../../ui/feedback/use-action.ts";
import { ConfirmButton } from "../../ui/forms/confirm-button.tsx";
import { CopyButton } from "../../ui/forms/copy-button.tsx";
import { endingOf, fileStatement, PICTURE_TYPES, previewKindOf } from "./files.ts";
import styles from "./drive.module.css";

type DriveFile = components["schemas"]["DriveFile"];

const PREVIEW_ROWS = 100;
const PICTURE_BYTES_MAX = 20_000_000;

const downloadUrlOf = (path: string) => bodyOf(api.POST("/v3/drive/download-url", { body: { path } }));

export function FileView({ file, onGone }: { file: DriveFile; onGone: () => void }) {
  const download = useAction(() => downloadUrlOf(file.path), {
    onDone: ({ download_url }) => {
      const link = document.createElement("a");
      link.href = download_url;
      link.download = file.path.split("/").at(-1)!;
      link.rel = "noopener";
      link.click();
    },
  });
  const remove = useAction(() => bodyOf(api.DELETE("/v3/drive/file", { params: { query: { path: file.path } } })), {
    onDone: onGone,
  });
  const sql = fileStatement(file.path, file.gcs_path, PREVIEW_ROWS);
  return (
    <Stack gap="md">
      <Group gap="sm">
        <span>
          <Bytes value={file.bytes} />, changed <Time at={file.modified_at} />
        </span>
        <Button size="xs" variant="default" loading={download.isPending} onClick={() => download.mutate()}>
          Download
        </Button>
        {sql && (
          <Button size="xs" variant="default" component={Link} href={queryHref({ text: sql })}>
            Query this file
          </Button>
        )}
        <CopyButton text={file.gcs_path} label="Copy the path for SQL" />
        <ConfirmButton
          question="The file is gone at once, for scripts and for SQL too."
          verb="Delete the file"
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate()}
        >
          Delete
        </ConfirmButton>
      </Group>
      <Preview file={file} sql={sql} />
    </Stack>
  );
}

function Preview({ file, sql }: { file: DriveFile; sql: string | undefined }) {
  if (sql !== undefined) return <Rows file={file} sql={sql} />;
  if (previewKindOf(file.path) === "picture") return <Picture file={file} />;
  return <EmptyState title="No preview">CSV, Parquet, JSON and pictures are shown here; download the rest.</EmptyState>;
}

function Rows({ file, sql }: { file: DriveFile; sql: string }) {
  const rows = useQuery({
    queryKey: ["drive", "rows", file.path, file.etag],
    queryFn: ({ signal }) => runStatement({ sql, signal }),
    retry: false,
  });
  if (rows.error) return <ErrorNote error={rows.error} onRetry={() => void rows.refetch()} />;
  if (!rows.data) return <LoadingLines />;
  if (rows.data.rows.length === 0)
    return <EmptyState title="No rows">The file has columns, and nothing in them.</EmptyState>;
  return <RowsTable label={`First rows of ${file.path}`} columns={rows.data.columns} rows={rows.data.rows} />;
}

function Picture({ file }: { file: DriveFile }) {
  const isTooLarge = file.bytes > PICTURE_BYTES_MAX;
  const picture = useQuery({
    queryKey: ["drive", "picture", file.path, file.etag],
    queryFn: async ({ signal }) => {
      const { download_url } = await downloadUrlOf(file.path);
      const response = await fetch(download_url, { signal });
      if (!response.ok) throw new Error(`The bucket answered ${response.status}.`);
      return new Blob([await response.arrayBuffer()], { type: PICTURE_TYPES[endingOf(file.path)]! });
    },
    enabled: !isTooLarge,
    retry: false,
  });
  const url = useObjectUrl(picture.data);
  if (isTooLarge) return <EmptyState title="Too large to show">Download the picture to look at it.</EmptyState>;
  if (picture.error) return <ErrorNote error={picture.error} onRetry={() => void picture.refetch()} />;
  if (!url) return <LoadingLines />;
  return <img className={styles.picture} src={url} alt={file.path} />;
}

function useObjectUrl(blob: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!blob) return undefined;
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return url;
}
