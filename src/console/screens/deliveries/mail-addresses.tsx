// Mail addresses beyond the team's members: nobody gets mail before they have said yes.

import { api, bodyOf, dataOf } from "../../api/client.ts";
import { useMay } from "../../api/me.ts";
import { usePages } from "../../api/pages.ts";
import type { components } from "../../api/schema.d.ts";
import { Button, Group, Stack, TextInput, useInputState } from "../../ui/controls.ts";
import { PagedTable } from "../../ui/data/paged-table.tsx";
import { State, Time, type Tone } from "../../ui/data/values.tsx";
import { EmptyState, ErrorNote } from "../../ui/feedback/states.tsx";
import { useAction, useFormAction } from "../../ui/feedback/use-action.ts";
import { ConfirmButton } from "../../ui/forms/confirm-button.tsx";

type MailAddress = components["schemas"]["MailAddress"];

const SHOWN: Record<MailAddress["state"], [Tone, string]> = {
  asked: ["busy", "asked, not confirmed yet"],
  expired: ["warn", "asked, and did not answer"],
  confirmed: ["good", "confirmed"],
  unsubscribed: ["quiet", "unsubscribed"],
};

export function MailAddresses() {
  const mayWrite = useMay("jobs:write");
  const [address, setAddress] = useInputState("");
  const pages = usePages(["mail-addresses"], (offset) =>
    dataOf(api.GET("/v4/mail/addresses", { params: { query: { offset, limit: 50 } } })),
  );
  const ask = useFormAction(() => dataOf(api.POST("/v4/mail/addresses", { body: { address: address.trim() } })), {
    renews: ["mail-addresses"],
    onDone: () => setAddress(""),
  });
  const remove = useAction(
    (id: string) => bodyOf(api.DELETE("/v4/mail/addresses/{address_id}", { params: { path: { address_id: id } } })),
    { renews: ["mail-addresses"] },
  );
  return (
    <Stack gap="md">
      {mayWrite && (
        <Group
          component="form"
          align="end"
          gap="sm"
          onSubmit={(event: React.FormEvent) => {
            event.preventDefault();
            ask.mutate();
          }}
        >
          <TextInput label="Ask an address" type="email" w={280} value={address} onChange={setAddress} />
          <Button type="submit" loading={ask.isPending} disabled={!address.trim()}>
            Ask
          </Button>
        </Group>
      )}
      {ask.error && <ErrorNote error={ask.error} />}
      <PagedTable
        label="Mail addresses"
        pages={pages}
        keyOf={({ id }) => id}
        columns={[
          { name: "Address", cell: ({ address: one }) => one },
          {
            name: "State",
            cell: ({ state }) => {
              const [tone, words] = SHOWN[state];
              return <State tone={tone}>{words}</State>;
            },
          },
          { name: "Asked", cell: ({ asked_at }) => <Time at={asked_at} /> },
          { name: "Confirmed", cell: ({ confirmed_at }) => <Time at={confirmed_at} never="–" /> },
          {
            name: "",
            cell: ({ id, address: one }) =>
              mayWrite && (
                <ConfirmButton
                  question={`${one} gets nothing any more.`}
                  verb="Remove"
                  onConfirm={() => remove.mutate(id)}
                >
                  Remove
                </ConfirmButton>
              ),
          },
        ]}
        empty={<EmptyState title="Members only">Deliveries reach members; other addresses are asked first.</EmptyState>}
      />
    </Stack>
  );
}
