// The integrations of the team: of each its kind, its last test, and what depends on it.

import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { integrationsQuery } from "../../api/integrations.ts";
import { useMay } from "../../api/me.ts";
import { asProblem } from "../../api/problem.ts";
import { Button, Group, Tooltip } from "../../ui/controls.ts";
import { ListTable } from "../../ui/data/list-table.tsx";
import { State, Time } from "../../ui/data/values.tsx";
import { EmptyState, Loaded } from "../../ui/feedback/states.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { reasonOf, STEP_TITLES, stepsOf } from "./connection-steps.ts";
import { dependentsOf, dependentsText } from "./dependents.ts";
import { FORMS, type Integration } from "./forms.ts";
import { syncsQuery, testQuery } from "./queries.ts";

export function IntegrationList() {
  const mayWrite = useMay("integrations:write");
  const integrations = useQuery(integrationsQuery);
  const syncs = useQuery(syncsQuery);
  const connect = mayWrite && (
    <Button component={Link} href="/integrations/new" leftSection={<Icon name="plus" size={16} />}>
      Connect
    </Button>
  );
  return (
    <Page title="Integrations" lead="Databases, lakes and services that the team has connected." actions={connect}>
      <Loaded query={integrations}>
        {(data) => (
          <ListTable
            empty={
              <EmptyState title="Nothing is connected yet" action={connect}>
                Connect a database to query it, or to sync its tables into the lake.
              </EmptyState>
            }
            label="Integrations"
            rows={data}
            keyOf={({ id }) => id}
            columns={[
              { name: "Name", cell: ({ id, name }) => <Link href={`/integrations/${id}`}>{name}</Link> },
              {
                name: "Kind",
                cell: ({ type, is_default }) => `${FORMS[type].title}${is_default ? ", the team's own" : ""}`,
              },
              { name: "Where", cell: whereOf },
              {
                name: "Used by",
                cell: ({ id }) => (syncs.data ? dependentsText(dependentsOf(id, syncs.data.data, data)) : ""),
              },
              { name: "Changed", cell: ({ updated_at }) => <Time at={updated_at} /> },
              { name: "Last test", cell: (row) => <LastTest integration={row} mayTest={mayWrite} /> },
            ]}
          />
        )}
      </Loaded>
    </Page>
  );
}

const whereOf = ({ details }: Integration): string => {
  const { host, port, database, project_id: project, account } = details;
  const place = host ? `${host}${port ? `:${port}` : ""}` : (project ?? account ?? "");
  return database ? `${place}/${database}` : place;
};

function LastTest({ integration, mayTest }: { integration: Integration; mayTest: boolean }) {
  const test = useQuery(testQuery(integration.id));
  const failed = test.error
    ? stepsOf(reasonOf(asProblem(test.error))).find(({ state }) => state === "failed")
    : undefined;
  return (
    <Group gap="xs" wrap="nowrap">
      {test.isFetching ? (
        <State tone="busy">testing</State>
      ) : test.error ? (
        <Tooltip label={asProblem(test.error).message} multiline maw={360}>
          <span>
            <State tone="bad">{failed ? `${STEP_TITLES[failed.step]} failed` : "failed"}</State>
          </span>
        </Tooltip>
      ) : test.data ? (
        <>
          <State tone="good">works</State> <Time at={test.data.at} />
        </>
      ) : null}
      {mayTest && !test.isFetching && (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={`Test ${integration.name}`}
          onClick={() => void test.refetch()}
        >
          Test
        </Button>
      )}
    </Group>
  );
}
