// Publishes a version of a saved query under an address of its own, with the rights of a data role.

import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { api, dataOf } from "../../api/client.ts";
import type { components } from "../../api/schema.d.ts";
import { Button, Select, Stack, TextInput } from "../../ui/controls.ts";
import { ErrorNote } from "../../ui/feedback/states.tsx";
import { showToast } from "../../ui/feedback/toasts.tsx";

const ROLES_MAX = 100;

type PublishDialogProps = { query: components["schemas"]["SavedQueryDetail"]; onClose: () => void };

export function PublishDialog({ query, onClose }: PublishDialogProps) {
  const [, navigate] = useLocation();
  const [name, setName] = useState(() =>
    query.name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, ""),
  );
  const [roleId, setRoleId] = useState<string | null>(null);
  const roles = useQuery({
    queryKey: ["roles", "all"],
    queryFn: () => dataOf(api.GET("/v4/data-access/roles", { params: { query: { limit: ROLES_MAX } } })),
  });
  const publish = useMutation({
    mutationFn: () =>
      dataOf(
        api.POST("/v4/endpoints", {
          body: {
            name: name.trim(),
            query_id: query.id,
            query_version: query.version,
            role_id: roleId!,
            description: query.description,
          } as components["schemas"]["NewEndpoint"],
        }),
      ),
    onSuccess: (endpoint) => {
      onClose();
      showToast(`Published at ${endpoint.path}. Its keys are made under Endpoints.`);
      navigate(`/queries/${query.id}`);
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        publish.mutate();
      }}
    >
      <Stack gap="sm">
        <TextInput
          label="Name in the address"
          required
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Select
          label="Data role"
          description="Whoever calls it reads what this role grants, and nothing else."
          required
          searchable
          data={(roles.data?.items ?? []).map(({ id, name: title }) => ({ value: id, label: title }))}
          value={roleId}
          onChange={setRoleId}
        />
        {roles.error && <ErrorNote error={roles.error} onRetry={() => void roles.refetch()} />}
        {publish.error && <ErrorNote error={publish.error} />}
        <Button type="submit" disabled={roleId === null} loading={publish.isPending}>
          Publish version {query.version}
        </Button>
      </Stack>
    </form>
  );
}
