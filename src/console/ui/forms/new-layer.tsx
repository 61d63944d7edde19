// A semantic layer is made over a lake or a database, and its model is drafted next.

import { Button } from "@mantine/core";
import { useLocation } from "wouter";
import { api, bodyOf } from "../../api/client.ts";
import { useAction } from "../feedback/use-action.ts";

export function NewLayer({ baseId, children }: { baseId: string; children: string }) {
  const [, navigate] = useLocation();
  const create = useAction(
    () => bodyOf(api.POST("/v1/api/integrations", { body: { type: "cube", credentials: { integration_id: baseId } } })),
    { renews: ["integrations"], onRenewed: ({ integration }) => navigate(`/models/${integration.id}?draft=tables`) },
  );
  return (
    <Button loading={create.isPending} onClick={() => create.mutate()}>
      {children}
    </Button>
  );
}
