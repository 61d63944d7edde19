// One integration: where it leads, whether it works, what depends on it; changed, tested and deleted here.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link, useLocation } from "wouter";
import { api, bodyOf } from "../../api/client.ts";
import { integrationsQuery } from "../../api/integrations.ts";
import { useMay } from "../../api/me.ts";
import { Button, Modal, useDisclosure } from "../../ui/controls.ts";
import { State, Time } from "../../ui/data/values.tsx";
import { EmptyState, Loaded } from "../../ui/feedback/states.tsx";
import { showToast } from "../../ui/feedback/toasts.tsx";
import { ConfirmButton } from "../../ui/forms/confirm-button.tsx";
import { Page, Panel } from "../../ui/layout/page.tsx";
import { ConnectionFailure, ConnectionResult } from "./connection-result.tsx";
import { dependentsOf, dependentsText, type Dependents } from "./dependents.ts";
import { EditForm } from "./edit-panel.tsx";
import { FORMS, type Integration } from "./forms.ts";
import { LakeKeyPanel } from "./lake-key-panel.tsx";
import { syncsQuery, testQuery } from "./queries.ts";
import { SamplePanel } from "./sample-panel.tsx";
import styles from "./integrations.module.css";

const SYNCABLE = new Set<Integration["type"]>(["postgres", "mysql", "redshift", "sqlserver", "bigquery", "snowflake"]);

export function IntegrationPage({ integrationId }: { integrationId: string }) {
  const integrations = useQuery(integrationsQuery);
  const syncs = useQuery(syncsQuery);
  return (
    <Loaded query={integrations}>
      {(data) => {
        const found = data.find(({ id }) => id === integrationId);
        if (!found)
          return (
            <Page title="Integration" trail={<Link href="/integrations">Integrations</Link>}>
              <EmptyState title="There is no such integration">It may have been deleted meanwhile.</EmptyState>
            </Page>
          );
        return <Details integration={found} dependents={dependentsOf(found.id, syncs.data?.data ?? [], data)} />;
      }}
    </Loaded>
  );
}

function Details({ integration, dependents }: { integration: Integration; dependents: Dependents }) {
  const { id, name, type, details } = integration;
  const mayWrite = useMay("integrations:write");
  const cache = useQueryClient();
  const [, navigate] = useLocation();
  const [isEditing, editing] = useDisclosure(false);
  const test = useQuery(testQuery(id));
  const remove = useMutation({
    mutationFn: () =>
      bodyOf(api.DELETE("/v1/api/integrations/{integration_id}", { params: { path: { integration_id: id } } })),
    onSuccess: async () => {
      showToast(`${name} is deleted.`);
      navigate("/integrations");
      await cache.invalidateQueries();
    },
    onError: (error) => showToast(error.message, "bad"),
  });
  const used = dependentsText(dependents);
  const actions = mayWrite && (
    <>
      {type === "cube" && (
        <Button size="xs" component={Link} href={`/models/${id}`}>
          Open the model
        </Button>
      )}
      <Button size="xs" variant="default" loading={test.isFetching} onClick={() => void test.refetch()}>
        Test
      </Button>
      <Button size="xs" variant="default" onClick={editing.open}>
        Change
      </Button>
      {!integration.is_default && (
        <ConfirmButton
          question={
            used
              ? `It is used: ${used}. Its syncs are deleted with it; what they brought into a lake stays.`
              : "Nothing depends on it. Its credentials are deleted."
          }
          verb="Delete it"
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate()}
        >
          Delete
        </ConfirmButton>
      )}
    </>
  );
  return (
    <Page title={name} trail={<Link href="/integrations">Integrations</Link>} actions={actions}>
      <Panel title={FORMS[type].title}>
        <dl className={styles.facts}>
          {Object.entries(details)
            .filter(([key]) => key !== "name" && key !== "type")
            .map(([key, value]) => (
              <Fact key={key} title={key.replaceAll("_", " ")}>
                {value}
              </Fact>
            ))}
          <Fact title="connected">
            <Time at={integration.created_at} />
          </Fact>
          <Fact title="changed">
            <Time at={integration.updated_at} />
          </Fact>
          <Fact title="id">
            <code>{id}</code>
          </Fact>
        </dl>
      </Panel>
      <Panel title="Connection">
        {test.isFetching ? (
          <State tone="busy">testing</State>
        ) : test.error ? (
          <ConnectionFailure error={test.error} />
        ) : test.data ? (
          <ConnectionResult tested={test.data.tested} />
        ) : (
          <p>Not tested since this page was opened.</p>
        )}
      </Panel>
      <Panel title="Used by">
        {used === "" && <p>Nothing depends on it.</p>}
        {used !== "" && (
          <ul>
            {[...dependents.syncsFrom, ...dependents.syncsInto].map((sync) => (
              <li key={sync.id}>
                <Link href={`/syncs/${sync.integration_id}?schema=${encodeURIComponent(sync.dest_schema)}`}>
                  {sync.source_name} into {sync.lake_name}.{sync.dest_schema}
                </Link>
              </li>
            ))}
            {[...dependents.layers, ...dependents.clusters].map((layer) => (
              <li key={layer.id}>
                <Link href={`/integrations/${layer.id}`}>{layer.name}</Link>
              </li>
            ))}
          </ul>
        )}
        {SYNCABLE.has(type) && mayWrite && (
          <div>
            <Button component={Link} href={`/syncs/new?integration=${id}`} size="xs" variant="default">
              Sync its tables
            </Button>
          </div>
        )}
      </Panel>
      {type === "trino" && mayWrite && <LakeKeyPanel integrationId={id} catalog={details["catalog"] ?? "lake"} />}
      {type === "lake" && <SamplePanel integrationId={id} mayLoad={mayWrite} />}
      <Modal opened={isEditing} onClose={editing.close} title={`Change ${name}`} size="lg">
        {isEditing && <EditForm integration={integration} onDone={editing.close} />}
      </Modal>
    </Page>
  );
}

const Fact = ({ title, children }: { title: string; children: ReactNode }) => (
  <>
    <dt>{title}</dt>
    <dd>{children}</dd>
  </>
);
