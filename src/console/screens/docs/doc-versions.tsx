// The versions of a doc: what each changed, and how an earlier one comes back.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Suspense } from "react";
import { useSearchParams } from "wouter";
import { api, dataOf } from "../../api/client.ts";
import { useMay } from "../../api/me.ts";
import { usePages } from "../../api/pages.ts";
import { Button, Group, Stack } from "../../ui/controls.ts";
import { PagedTable } from "../../ui/data/paged-table.tsx";
import { State, Time } from "../../ui/data/values.tsx";
import { DiffView } from "../../ui/editor/lazy.ts";
import { EmptyState, Loaded, LoadingLines } from "../../ui/feedback/states.tsx";
import { showToast } from "../../ui/feedback/toasts.tsx";
import { ConfirmButton } from "../../ui/forms/confirm-button.tsx";
import { Panel } from "../../ui/layout/page.tsx";
import { saveDocText, type DocDetail } from "../../api/docs.ts";

export function DocVersions({ doc }: { doc: DocDetail }) {
  const [search, setSearch] = useSearchParams();
  const chosen = Number(search.get("version")) || undefined;
  const pages = usePages(["docs", doc.id, "versions"], (offset) =>
    dataOf(
      api.GET("/v4/docs/{doc_id}/versions", { params: { path: { doc_id: doc.id }, query: { offset, limit: 20 } } }),
    ),
  );
  const show = (version: number) => setSearch({ tab: "versions", version: String(version) });
  return (
    <Stack gap="lg">
      {chosen && <Compared doc={doc} version={chosen} />}
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
                {version === doc.version && <State tone="good">newest</State>}
              </Group>
            ),
          },
          { name: "Saved", cell: ({ created_at }) => <Time at={created_at} /> },
          {
            name: "",
            cell: ({ version }) => (
              <Button size="xs" variant="default" disabled={version === chosen} onClick={() => show(version)}>
                What it changed
              </Button>
            ),
          },
        ]}
        empty={<EmptyState title="No versions" />}
      />
    </Stack>
  );
}

function Compared({ doc, version }: { doc: DocDetail; version: number }) {
  const cache = useQueryClient();
  const mayWrite = useMay("docs:write");
  const textOf = async (number: number) =>
    number < 1
      ? ""
      : (
          await dataOf(
            api.GET("/v4/docs/{doc_id}/versions/{version}", {
              params: { path: { doc_id: doc.id, version: String(number) } },
            }),
          )
        ).text;
  const texts = useQuery({
    queryKey: ["docs", doc.id, "compared", version],
    queryFn: () => Promise.all([textOf(version - 1), textOf(version)]),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const restore = useMutation({
    // JSON is YAML, whichever that version was written in.
    mutationFn: (text: string) => saveDocText({ id: doc.id, media_type: "application/yaml" }, text, doc.version),
    onSuccess: async () => {
      showToast(`Version ${version} is the newest again.`);
      await cache.invalidateQueries({ queryKey: ["docs"] });
    },
    onError: (error) => showToast(error.message, "bad"),
  });
  return (
    <Panel
      title={version === 1 ? "Version 1, the first" : `Version ${version} against ${version - 1}`}
      actions={
        mayWrite &&
        version !== doc.version &&
        texts.data && (
          <ConfirmButton
            question={`Its text is saved anew as version ${doc.version + 1}. Nothing is lost.`}
            verb="Restore it"
            isBusy={restore.isPending}
            onConfirm={() => restore.mutate(texts.data[1])}
          >
            Restore this version
          </ConfirmButton>
        )
      }
    >
      <Loaded query={texts}>
        {([before, after]) => (
          <Suspense fallback={<LoadingLines />}>
            <DiffView label={`What version ${version} changed`} before={before} after={after} />
          </Suspense>
        )}
      </Loaded>
    </Panel>
  );
}
