// A semantic model is read before its editor or its versions are shown.

import { useQuery } from "@tanstack/react-query";
import type { ComponentType } from "react";
import { Link } from "wouter";
import { EmptyState, Loaded } from "../../ui/feedback/states.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { baseOf } from "./model-list.tsx";
import { integrationsQuery, type Integration } from "../../api/integrations.ts";
import { modelQuery, type SavedModel } from "./queries.ts";

export type ShownModel = { cube: Integration; base: Integration | undefined; saved: SavedModel };

type ModelPageProps = { integrationId: string; show: ComponentType<ShownModel> };

export function ModelPage({ integrationId, show: Shown }: ModelPageProps) {
  const integrations = useQuery(integrationsQuery);
  const model = useQuery(modelQuery(integrationId));
  const cube = integrations.data?.find(({ id, type }) => id === integrationId && type === "cube");
  if (cube && model.data) return <Shown cube={cube} base={baseOf(cube, integrations.data!)} saved={model.data} />;
  return (
    <Page title={cube?.name ?? "Semantic model"} trail={<Link href="/models">Semantic models</Link>}>
      <Loaded query={integrations}>
        {() =>
          cube ? (
            <Loaded query={model}>{() => null}</Loaded>
          ) : (
            <EmptyState title="There is no such semantic model">It may have been deleted meanwhile.</EmptyState>
          )
        }
      </Loaded>
    </Page>
  );
}
