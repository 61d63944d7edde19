// Changes an integration's name or credentials. The connection is tried with them before they are stored.

import { useState } from "react";
import { api, bodyOf } from "../../api/client.ts";
import { Button, Group, Stack, TextInput, useInputState } from "../../ui/controls.ts";
import { showToast } from "../../ui/feedback/toasts.tsx";
import { ConnectionFailure } from "./connection-result.tsx";
import { CredentialFields } from "./credential-fields.tsx";
import { besideFrom, besideValues, credentialsFrom, fieldsOf, type Integration } from "./forms.ts";
import { useFormAction } from "../../ui/feedback/use-action.ts";
import { Form } from "../../ui/forms/form.tsx";

export function EditForm({ integration, onDone }: { integration: Integration; onDone: () => void }) {
  const [name, setName] = useInputState(integration.name);
  const [values, setValues] = useState(() => besideValues(integration));
  const credentials = credentialsFrom(integration.type, values);
  const beside = besideFrom(integration.type, values);
  const save = useFormAction(
    () =>
      bodyOf(
        api.PATCH("/v1/api/integrations/{integration_id}", {
          params: { path: { integration_id: integration.id } },
          body: {
            ...(name.trim() !== integration.name && { name: name.trim() }),
            ...(Object.keys(credentials).length > 0 && { credentials }),
            ...beside,
          },
        }),
      ),
    {
      renews: ["integrations"],
      onDone: ({ warnings }) => {
        for (const warning of warnings) showToast(warning, "bad");
      },
      onRenewed: onDone,
    },
  );
  return (
    <Form onSubmit={() => save.mutate()}>
      <Stack gap="md">
        <TextInput label="Name" required data-autofocus value={name} onChange={setName} />
        {fieldsOf(integration.type).length > 0 && (
          <small>What you leave empty stays as it is. Another host or port asks for the password again.</small>
        )}
        <CredentialFields kind={integration.type} values={values} isChange onChange={setValues} />
        {save.error && <ConnectionFailure error={save.error} />}
        <Group>
          <Button type="submit" loading={save.isPending}>
            Test and save
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}
