// One saved query: its text, its versions, where it is used, and what can be made of it.

import { useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "wouter";
import { api, bodyOf, dataOf } from "../../api/client.ts";
import { useMay } from "../../api/me.ts";
import type { components } from "../../api/schema.d.ts";
import { Button, Code, Modal, useDisclosure } from "../../ui/controls.ts";
import { State, Time } from "../../ui/data/values.tsx";
import { Loaded } from "../../ui/feedback/states.tsx";
import { useAction } from "../../ui/feedback/use-action.ts";
import { ConfirmButton } from "../../ui/forms/confirm-button.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Page, Panel } from "../../ui/layout/page.tsx";
import { DeliverDialog } from "./deliver-dialog.tsx";
import { QueryQuestions } from "./query-questions.tsx";
import { QueryUses } from "./query-uses.tsx";
import { QueryVersions } from "./query-versions.tsx";

type SavedQuery = components["schemas"]["SavedQueryDetail"];

export function QueryPage({ id }: { id: string }) {
  const query = useQuery({
    queryKey: ["queries", id],
    queryFn: () => dataOf(api.GET("/v4/queries/{query_id}", { params: { path: { query_id: id } } })),
  });
  return (
    <Loaded query={query}>
      {(found) => <SavedQueryView key={`${found.id} ${found.version} ${found.certified}`} query={found} />}
    </Loaded>
  );
}

function SavedQueryView({ query }: { query: SavedQuery }) {
  const [, navigate] = useLocation();
  const mayWrite = useMay("queries:write");
  const mayPublish = useMay("endpoints:manage");
  const maySchedule = useMay("jobs:write");
  const [isDelivering, delivering] = useDisclosure(false);
  const text = query.sql ?? JSON.stringify(query.cube_query, null, 2);
  const path = { query_id: query.id };
  const archive = useAction(
    () =>
      query.archived_at === null
        ? bodyOf(api.DELETE("/v4/queries/{query_id}", { params: { path } }))
        : dataOf(api.POST("/v4/queries/{query_id}/restore", { params: { path } })),
    { renews: ["queries"] },
  );
  return (
    <Page
      title={query.name}
      lead={query.description}
      trail={<Link href="/queries">Saved queries</Link>}
      actions={
        <>
          {query.sql !== undefined && (
            <Button
              size="xs"
              leftSection={<Icon name="query" size={15} />}
              onClick={() => navigate(`/query?saved=${query.id}`)}
            >
              Open in a tab
            </Button>
          )}
          {query.cube_query !== undefined && (
            <Button
              size="xs"
              leftSection={<Icon name="explore" size={15} />}
              onClick={() => navigate(exploreHref(query))}
            >
              Explore
            </Button>
          )}
          {mayPublish && (
            <Button size="xs" variant="default" onClick={() => navigate(`/endpoints?publish=${query.id}`)}>
              Publish as an endpoint …
            </Button>
          )}
          {maySchedule && (
            <Button size="xs" variant="default" onClick={delivering.open}>
              Deliver …
            </Button>
          )}
          {mayWrite && query.archived_at === null && (
            <ConfirmButton
              question="It leaves the list, and can be restored from the archive."
              verb="Archive it"
              isBusy={archive.isPending}
              onConfirm={() => archive.mutate()}
            >
              Archive
            </ConfirmButton>
          )}
          {mayWrite && query.archived_at !== null && (
            <Button size="xs" variant="default" loading={archive.isPending} onClick={() => archive.mutate()}>
              Restore
            </Button>
          )}
        </>
      }
    >
      <Panel title={`Version ${query.version}`}>
        <span>
          {query.certified && <State tone="good">Certified</State>} Changed <Time at={query.updated_at} />
        </span>
        <Code block>{text}</Code>
      </Panel>
      <QueryQuestions query={query} />
      <QueryUses queryId={query.id} />
      <QueryVersions query={query} />
      <Modal opened={isDelivering} onClose={delivering.close} title="Deliver its result">
        {isDelivering && <DeliverDialog query={query} onClose={delivering.close} />}
      </Modal>
    </Page>
  );
}

function exploreHref({ integration_id: model, cube_query: asked }: SavedQuery): string {
  const search = new URLSearchParams({ ...(model !== null && { in: model }), query: JSON.stringify(asked) });
  return `/explore?${search}`;
}
