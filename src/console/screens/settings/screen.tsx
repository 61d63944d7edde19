// The team's settings: where its people sign in, what its Python may reach, and the secrets that its docs read.

import { useQuery } from "@tanstack/react-query";
import { api, bodyOf, dataOf } from "../../api/client.ts";
import { useMay } from "../../api/me.ts";
import { Button, Group, PasswordInput, Stack, Switch, TextInput, useInputState } from "../../ui/controls.ts";
import { ListTable } from "../../ui/data/list-table.tsx";
import { ErrorNote, Loaded } from "../../ui/feedback/states.tsx";
import { useAction, useFormAction } from "../../ui/feedback/use-action.ts";
import { ConfirmButton } from "../../ui/forms/confirm-button.tsx";
import { Page, Panel } from "../../ui/layout/page.tsx";
import { Domains } from "./sign-in/domains.tsx";
import { IdentityProvider } from "./sign-in/identity-provider.tsx";
import { Form } from "../../ui/forms/form.tsx";

export default function SettingsScreen() {
  const mayManage = useMay("team:manage");
  return (
    <Page title="Settings">
      {mayManage && <IdentityProvider />}
      {mayManage && <Domains />}
      {mayManage && <Sandbox />}
      <Secrets />
    </Page>
  );
}

function Sandbox() {
  const settings = useQuery({ queryKey: ["team-settings"], queryFn: () => dataOf(api.GET("/v4/team/settings")) });
  const change = useAction(
    (isOpen: boolean) => dataOf(api.PATCH("/v4/team/settings", { body: { sandbox_internet: isOpen } })),
    { renews: ["team-settings"] },
  );
  return (
    <Panel title="Python">
      <Loaded query={settings}>
        {(found) => (
          <Switch
            label="Docs' Python reaches the internet"
            description="Without it, Python reaches this platform alone. It holds for runs that begin from now on."
            checked={found.sandbox_internet}
            disabled={change.isPending}
            onChange={(event) => change.mutate(event.currentTarget.checked)}
          />
        )}
      </Loaded>
    </Panel>
  );
}

function Secrets() {
  const mayWrite = useMay("secrets:write");
  const [name, setName] = useInputState("");
  const [value, setValue] = useInputState("");
  const secrets = useQuery({ queryKey: ["secrets"], queryFn: () => bodyOf(api.GET("/v1/api/secret")) });
  const set = useFormAction(
    () =>
      bodyOf(
        api.POST("/v1/api/secret/{secret_key}", { params: { path: { secret_key: name.trim() } }, body: { value } }),
      ),
    {
      renews: ["secrets"],
      onDone: () => {
        setName("");
        setValue("");
      },
    },
  );
  const remove = useAction(
    (key: string) => bodyOf(api.DELETE("/v1/api/secret/{secret_key}", { params: { path: { secret_key: key } } })),
    { renews: ["secrets"] },
  );
  return (
    <Panel title="Secrets">
      <p>Docs read them by name while they run. What is stored is sealed, and the console does not show it.</p>
      <Loaded query={secrets}>
        {({ secrets: names }) => (
          <ListTable
            empty={<p>There are none.</p>}
            label="Secrets"
            rows={names}
            keyOf={(key) => key}
            columns={[
              { name: "Name", cell: (key) => <code>{key}</code> },
              {
                name: "",
                cell: (key) =>
                  mayWrite && (
                    <ConfirmButton
                      question={`Docs that read ${key} fail from now on.`}
                      verb="Delete it"
                      onConfirm={() => remove.mutate(key)}
                    >
                      Delete
                    </ConfirmButton>
                  ),
              },
            ]}
          />
        )}
      </Loaded>
      {mayWrite && (
        <Form onSubmit={() => set.mutate()}>
          <Stack gap="sm" align="start">
            <Group align="end" gap="xs">
              <TextInput label="Name" value={name} onChange={setName} />
              <PasswordInput label="Value" w={280} autoComplete="off" value={value} onChange={setValue} />
              <Button
                type="submit"
                variant="default"
                loading={set.isPending}
                disabled={name.trim() === "" || value === ""}
              >
                Store
              </Button>
            </Group>
            {set.error && <ErrorNote error={set.error} />}
          </Stack>
        </Form>
      )}
    </Panel>
  );
}
