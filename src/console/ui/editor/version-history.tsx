// The versions of what is kept with versions: who saved each and when, what it changed, what restoring it would change,
// and how it comes back. The address names the version that is looked at.

import { Button, Group, SegmentedControl, Stack } from "@mantine/core";
import { useMutation, useQuery, useQueryClient, type QueryKey } from "@tanstack/react-query";
import { useState } from "react";
import { usePages, type PageOf } from "../../api/pages.ts";
import { PagedTable } from "../data/paged-table.tsx";
import { State, Time } from "../data/values.tsx";
import { EmptyState, Loaded } from "../feedback/states.tsx";
import { showToast } from "../feedback/toasts.tsx";
import { ConfirmButton } from "../forms/confirm-button.tsx";
import { Panel } from "../layout/page.tsx";
import type { TextLanguage } from "./lazy.ts";
import { changesBetween, TextChanges, type Texts } from "./text-changes.tsx";
import { useSearch } from "../use-search.ts";

type VersionRow = { version: number; created_at: string; created_by_name: string | null };

type VersionHistoryProps<Row> = {
  /** The cache's name of what has the versions; its lists are asked for again once one was restored. */
  queryKey: QueryKey;
  newest: number;
  fetchPage: (offset: number) => Promise<PageOf<Row>>;
  fetchTexts: (version: number) => Promise<Texts>;
  language?: TextLanguage;
  /** Why a version was saved, where its list says so. */
  noteOf?: (row: Row) => string;
  /** Saves a version anew over the newest, and fails where that is another by then. Undefined for who may not save. */
  restore: ((version: number) => Promise<unknown>) | undefined;
};

export function VersionHistory<Row extends VersionRow>(props: VersionHistoryProps<Row>) {
  const { queryKey, newest, fetchPage, noteOf } = props;
  const [search, changeSearch] = useSearch();
  const chosen = Number(search.get("version")) || undefined;
  const pages = usePages([...queryKey, "versions"], fetchPage);
  return (
    <Stack gap="lg">
      {chosen && <Compared key={chosen} {...props} version={chosen} />}
      <Panel title="Versions">
        <PagedTable
          label="Versions"
          pages={pages}
          keyOf={({ version }) => String(version)}
          columns={[
            {
              name: "Version",
              cell: ({ version }) => (
                <Group gap="xs">
                  {version}
                  {version === newest && <State tone="good">newest</State>}
                </Group>
              ),
            },
            { name: "Saved", cell: ({ created_at: at }) => <Time at={at} /> },
            { name: "By", cell: ({ created_by_name: name }) => name ?? "somebody gone" },
            ...(noteOf ? [{ name: "Why", cell: noteOf }] : []),
            {
              name: "",
              cell: ({ version }) => (
                <Button
                  size="xs"
                  variant="default"
                  disabled={version === chosen}
                  onClick={() => changeSearch({ version: String(version) })}
                >
                  Look at it
                </Button>
              ),
            },
          ]}
          empty={<EmptyState title="No versions" />}
        />
      </Panel>
    </Stack>
  );
}

const COMPARISONS = { change: "What it changed", restoring: "What restoring it changes" } as const;
type Comparison = keyof typeof COMPARISONS;

function Compared<Row>(props: VersionHistoryProps<Row> & { version: number }) {
  const { queryKey, newest, version, fetchTexts, language = "yaml", restore } = props;
  const [comparison, setComparison] = useState<Comparison>("change");
  const cache = useQueryClient();
  const isNewest = version === newest;
  const [from, to] = comparison === "change" || isNewest ? [version - 1, version] : [newest, version];
  const changes = useQuery({
    queryKey: [...queryKey, "compared", from, to],
    queryFn: async () => {
      const [before, after] = await Promise.all([from < 1 ? {} : fetchTexts(from), fetchTexts(to)]);
      return changesBetween(before, after);
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  const restoring = useMutation({
    mutationFn: () => restore!(version),
    onSuccess: () => showToast(`Version ${version} is the newest again.`),
    onError: (error) => showToast(error.message, "bad"),
    // Who met another's version has that to look at.
    onSettled: () => cache.invalidateQueries({ queryKey: queryKey.slice(0, 1) }),
  });
  return (
    <Panel
      title={version === 1 ? "Version 1, the first" : `Version ${version}`}
      actions={
        restore &&
        !isNewest && (
          <ConfirmButton
            question={`It is saved anew as version ${newest + 1}. Nothing is lost.`}
            verb="Restore it"
            isBusy={restoring.isPending}
            onConfirm={restoring.mutate}
          >
            Restore this version
          </ConfirmButton>
        )
      }
    >
      {!isNewest && (
        <SegmentedControl
          w="fit-content"
          size="xs"
          aria-label="What it is compared with"
          data={Object.entries(COMPARISONS).map(([value, label]) => ({ value, label }))}
          value={comparison}
          onChange={(value) => setComparison(value as Comparison)}
        />
      )}
      <Loaded query={changes}>{(found) => <TextChanges changes={found} language={language} />}</Loaded>
    </Panel>
  );
}
