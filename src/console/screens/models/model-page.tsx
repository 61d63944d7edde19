// A semantic model is read before its editor is shown.

import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { EmptyState, Loaded } from "../../ui/feedback/states.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { ModelEditor } from "./model-editor.tsx";
import { baseOf } from "./model-list.tsx";
import { integrationsQuery } from "../../api/integrations.ts";
import { modelQuery } from "./queries.ts";

export function ModelPage({ integrationId }: { integrationId: string }) {
  const integrations = useQuery(integrationsQuery);
  const model = useQuery(modelQuery(integrationId));
  const cube = integrations.data?.find(({ id, type }) => id === integrationId && type === "cube");
  if (cube && model.data) return <ModelEditor cube={cube} base={baseOf(cube, integrations.data!)} saved={model.data} />;
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
