// The explorer asks a semantic model by the names of its members. The address names the model.

import { useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "wouter";
import { useMay } from "../../api/me.ts";
import { Button } from "../../ui/controls.ts";
import { EmptyState, Loaded } from "../../ui/feedback/states.tsx";
import { NewLayer } from "../../ui/forms/new-layer.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Explorer } from "./explorer.tsx";
import { integrationsQuery, type Integration } from "../../api/integrations.ts";
import { cubesOf, membersQuery } from "./queries.ts";

const LEAD = "Ask by measures and dimensions; the platform writes the SQL.";

export default function ExploreScreen() {
  const mayRead = useMay("integrations:read");
  const integrations = useQuery({ ...integrationsQuery, enabled: mayRead });
  const mayWrite = useMay("integrations:write");
  const [search] = useSearchParams();
  if (!mayRead)
    return (
      <Page title="Explore" lead={LEAD}>
        <EmptyState title="You cannot see the team's semantic models">
          Ask an admin for a key with the right integrations:read.
        </EmptyState>
      </Page>
    );
  if (!integrations.data)
    return (
      <Page title="Explore" lead={LEAD}>
        <Loaded query={integrations}>{() => null}</Loaded>
      </Page>
    );
  const cubes = cubesOf(integrations.data);
  const wanted = search.get("in");
  const cube = wanted === null ? cubes[0] : cubes.find(({ id }) => id === wanted);
  const lake = integrations.data.find(({ is_default: isDefault }) => isDefault);
  if (!cube)
    return (
      <Page title="Explore" lead={LEAD}>
        {wanted === null ? (
          <EmptyState
            title="There is no semantic model yet"
            action={mayWrite && lake && <NewLayer baseId={lake.id}>Draft one from the lake's tables</NewLayer>}
          >
            A model says once what tables mean: how they join, what revenue is. Then whoever asks names measures and
            dimensions.{" "}
            {mayWrite
              ? "A first one is drafted from the tables that there are; nothing is saved before you look it through."
              : "An admin of the team makes one under Semantic models."}
          </EmptyState>
        ) : (
          <EmptyState
            title="There is no such semantic model"
            action={
              <Button component={Link} href="/explore">
                See those that there are
              </Button>
            }
          >
            It may have been deleted meanwhile.
          </EmptyState>
        )}
      </Page>
    );
  return <Model key={cube.id} cube={cube} cubes={cubes} lakeId={lake?.id} mayWrite={mayWrite} />;
}

type ModelProps = { cube: Integration; cubes: readonly Integration[]; lakeId: string | undefined; mayWrite: boolean };

function Model({ cube, cubes, lakeId, mayWrite }: ModelProps) {
  const members = useQuery(membersQuery(cube.id));
  if (members.data && members.data.length > 0)
    return <Explorer cube={cube} cubes={cubes} lakeId={lakeId} members={members.data} />;
  return (
    <Page title="Explore" lead={LEAD}>
      <Loaded query={members}>
        {(found) => (
          <EmptyState
            title={found === null ? `${cube.name} has no model yet` : `${cube.name} shows you no members`}
            action={
              mayWrite && (
                <Button component={Link} href={`/models/${cube.id}${found === null ? "?draft=tables" : ""}`}>
                  {found === null ? "Draft one from its tables" : "Open the model"}
                </Button>
              )
            }
          >
            {found === null
              ? "Its cubes, measures and dimensions are written in YAML."
              : "The model has nothing public that your roles let you read."}
          </EmptyState>
        )}
      </Loaded>
    </Page>
  );
}
