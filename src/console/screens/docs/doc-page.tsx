// One doc: its datasets and runs, its text, its versions and its webhook, each at an address of its own.

import { useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "wouter";
import { api, bodyOf } from "../../api/client.ts";
import { useMay } from "../../api/me.ts";
import { Button, Tabs } from "../../ui/controls.ts";
import { State } from "../../ui/data/values.tsx";
import { Loaded } from "../../ui/feedback/states.tsx";
import { useAction } from "../../ui/feedback/use-action.ts";
import { ConfirmButton } from "../../ui/forms/confirm-button.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { DocOverview } from "./doc-overview.tsx";
import { DocText } from "./doc-text.tsx";
import { DocVersions } from "./doc-versions.tsx";
import { DocWebhook } from "./doc-webhook.tsx";
import { docQuery, type DocDetail } from "../../api/docs.ts";
import { RunNow } from "./run/run-now.tsx";

export function DocPage({ docId }: { docId: string }) {
  return <Loaded query={useQuery(docQuery(docId))}>{(doc) => <Doc doc={doc} />}</Loaded>;
}

const TABS = { overview: "Overview", text: "Text", versions: "Versions", webhook: "Webhook" } as const;

function Doc({ doc }: { doc: DocDetail }) {
  const [search, setSearch] = useSearchParams();
  const tab = search.get("tab") ?? "overview";
  return (
    <Page
      title={doc.name}
      lead={doc.description}
      trail={<Link href="/docs">Docs</Link>}
      actions={<Actions doc={doc} />}
    >
      {doc.archived_at && <State tone="quiet">archived: it does not run until it is restored</State>}
      <Tabs
        value={tab}
        onChange={(next) => setSearch(next === "overview" ? {} : { tab: next ?? "" })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {Object.entries(TABS).map(([name, title]) => (
            <Tabs.Tab key={name} value={name}>
              {title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="overview">
          <DocOverview doc={doc} />
        </Tabs.Panel>
        <Tabs.Panel value="text">
          <DocText doc={doc} />
        </Tabs.Panel>
        <Tabs.Panel value="versions">
          <DocVersions doc={doc} />
        </Tabs.Panel>
        <Tabs.Panel value="webhook">
          <DocWebhook doc={doc} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

function Actions({ doc }: { doc: DocDetail }) {
  const [mayWrite, mayRun] = [useMay("docs:write"), useMay("docs:run")];
  const params = { path: { doc_id: doc.id } };
  const renewing = { renews: ["docs"] };
  const archive = useAction(() => bodyOf(api.DELETE("/v4/docs/{doc_id}", { params })), renewing);
  const restore = useAction(() => bodyOf(api.POST("/v4/docs/{doc_id}/restore", { params })), renewing);
  return (
    <>
      {doc.kind === "dashboard" && !doc.archived_at && (
        <Button variant="default" size="xs" component={Link} href={`/dashboards/${doc.id}`}>
          Open the dashboard
        </Button>
      )}
      {mayWrite && !doc.archived_at && (
        <ConfirmButton
          question="It no longer runs, and its jobs pause. Restoring it brings all of it back."
          verb="Archive"
          isBusy={archive.isPending}
          onConfirm={() => archive.mutate()}
        >
          Archive
        </ConfirmButton>
      )}
      {mayWrite && doc.archived_at && (
        <Button size="xs" loading={restore.isPending} onClick={() => restore.mutate()}>
          Restore
        </Button>
      )}
      {mayRun && !doc.archived_at && <RunNow doc={doc} />}
    </>
  );
}
