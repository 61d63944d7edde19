// A semantic layer is made over a lake or a database, and its model is drafted next.

import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { api, bodyOf } from "../../api/client.ts";
import { showToast } from "../feedback/toasts.tsx";

export function NewLayer({ baseId, children }: { baseId: string; children: string }) {
  const cache = useQueryClient();
  const [, navigate] = useLocation();
  const create = useMutation({
    mutationFn: () =>
      bodyOf(api.POST("/v1/api/integrations", { body: { type: "cube", credentials: { integration_id: baseId } } })),
    onSuccess: async ({ integration }) => {
      await cache.invalidateQueries({ queryKey: ["integrations"] });
      navigate(`/models/${integration.id}?draft=tables`);
    },
    onError: (error) => showToast(error.message, "bad"),
  });
  return (
    <Button loading={create.isPending} onClick={() => create.mutate()}>
      {children}
    </Button>
  );
}
