// The keys of one endpoint. Each opens this endpoint and nothing else.

import { api, bodyOf, dataOf } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import type { components } from "../../api/schema.d.ts";
import { Button, Group, TextInput, useInputState } from "../../ui/controls.ts";
import { PagedTable } from "../../ui/data/paged-table.tsx";
import { Time } from "../../ui/data/values.tsx";
import { useAction } from "../../ui/feedback/use-action.ts";
import { ConfirmButton } from "../../ui/forms/confirm-button.tsx";
import { ShownOnce } from "../../ui/forms/shown-once.tsx";
import { Panel } from "../../ui/layout/page.tsx";
import { Form } from "../../ui/forms/form.tsx";

type Endpoint = components["schemas"]["Endpoint"];

const PAGE_ROWS = 50;

export function EndpointKeys({ endpoint }: { endpoint: Endpoint }) {
  const [name, setName] = useInputState("");
  const path = { endpoint_id: endpoint.id };
  const queryKey = ["endpoints", endpoint.id, "keys"];
  const pages = usePages(queryKey, (offset) =>
    dataOf(api.GET("/v4/endpoints/{endpoint_id}/keys", { params: { path, query: { limit: PAGE_ROWS, offset } } })),
  );
  const create = useAction(
    () =>
      dataOf(
        api.POST("/v4/endpoints/{endpoint_id}/keys", {
          params: { path },
          body: { name: name.trim(), expires_at: null },
        }),
      ),
    { renews: queryKey, onDone: () => setName("") },
  );
  const revoke = useAction(
    (keyId: string) =>
      bodyOf(api.DELETE("/v4/endpoints/{endpoint_id}/keys/{key_id}", { params: { path: { ...path, key_id: keyId } } })),
    { renews: queryKey },
  );
  return (
    <Panel title="Keys">
      {create.data && <ShownOnce title={`The key "${create.data.name}"`} secret={create.data.key} />}
      <PagedTable
        label="Keys of the endpoint"
        pages={pages}
        keyOf={(key) => key.id}
        empty={<p>No keys yet: nobody can call it but by a signed token.</p>}
        columns={[
          { name: "Name", cell: (key) => key.name },
          { name: "Ends in", cell: (key) => <code>…{key.hint}</code> },
          { name: "Made", cell: (key) => <Time at={key.created_at} /> },
          { name: "Expires", cell: (key) => <Time at={key.expires_at} /> },
          {
            name: "",
            cell: (key) => (
              <ConfirmButton
                question={`Programs that use "${key.name}" are refused from now on.`}
                verb="Revoke"
                onConfirm={() => revoke.mutate(key.id)}
              >
                Revoke
              </ConfirmButton>
            ),
          },
        ]}
      />
      <Form onSubmit={() => create.mutate()}>
        <Group align="end" gap="xs">
          <TextInput label="Name of a new key" value={name} onChange={setName} />
          <Button type="submit" variant="default" loading={create.isPending} disabled={name.trim() === ""}>
            Make it
          </Button>
        </Group>
      </Form>
    </Panel>
  );
}
