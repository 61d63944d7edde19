// The semantic models of the team are listed with the lake or database that each describes.

import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { Group } from "../../ui/controls.ts";
import { ListTable } from "../../ui/data/list-table.tsx";
import { Time } from "../../ui/data/values.tsx";
import { EmptyState, Loaded } from "../../ui/feedback/states.tsx";
import { NewLayer } from "../../ui/forms/new-layer.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { integrationsQuery, type Integration } from "../../api/integrations.ts";
import { isModelled } from "./queries.ts";

export function ModelList() {
  const integrations = useQuery(integrationsQuery);
  return (
    <Page
      title="Semantic models"
      lead="What tables mean, said once: how they join, which columns are keys, what revenue is."
    >
      <Loaded query={integrations}>
        {(found) => {
          const models = found.filter(({ type }) => type === "cube");
          const bases = found.filter(isModelled);
          const create = (
            <Group gap="xs">
              {bases.map(({ id, name }) => (
                <NewLayer key={id} baseId={id}>{`New model over ${name}`}</NewLayer>
              ))}
            </Group>
          );
          if (models.length === 0)
            return (
              <EmptyState title="There is no semantic model yet" action={create}>
                A first one is drafted from the tables that there are. Nothing is saved before you look it through.
              </EmptyState>
            );
          return (
            <>
              <ListTable
                label="Semantic models"
                rows={models}
                keyOf={({ id }) => id}
                columns={[
                  { name: "Name", cell: ({ id, name }) => <Link href={`/models/${id}`}>{name}</Link> },
                  { name: "Over", cell: (model) => baseOf(model, found)?.name ?? "" },
                  { name: "Made", cell: ({ created_at: at }) => <Time at={at} /> },
                  { name: "", cell: ({ id }) => <Link href={`/explore?in=${id}`}>Explore</Link> },
                ]}
              />
              {create}
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

export const baseOf = ({ details }: Integration, all: readonly Integration[]): Integration | undefined =>
  all.find(({ id }) => id === details.integration_id);
