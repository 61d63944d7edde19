// The form of an identity provider. A secret that is there stays where nothing is written in its field, and cannot be
// kept for another issuer.

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, dataOf } from "../../../api/client.ts";
import type { components } from "../../../api/schema.d.ts";
import { Checkbox, PasswordInput, TextInput, useInputState } from "../../../ui/controls.ts";
import { DialogForm } from "../../../ui/forms/dialog-form.tsx";

type Props = { provider: components["schemas"]["IdentityProvider"] | null; onSaved: () => Promise<void> };

export function ProviderForm({ provider, onSaved }: Props) {
  const [fields, setFields] = useState({
    name: provider?.name ?? "",
    issuer: provider?.issuer ?? "",
    client_id: provider?.client_id ?? "",
  });
  const [secret, setSecret] = useInputState("");
  const [hasSecret, setHasSecret] = useInputState(provider?.has_secret ?? true);
  const save = useMutation({
    mutationFn: () => {
      const sent = hasSecret ? secret || undefined : null;
      return dataOf(
        api.PUT("/v4/team/identity-provider", {
          body: { ...fields, ...(sent !== undefined && { client_secret: sent }) },
        }),
      );
    },
    onSuccess: onSaved,
  });
  const field = (name: keyof typeof fields) => ({
    value: fields[name],
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setFields((before) => ({ ...before, [name]: value })),
  });
  const isKept = provider?.has_secret === true && provider.issuer === fields.issuer;
  return (
    <DialogForm work={save} verb="Save" isIncomplete={hasSecret && !isKept && secret === ""}>
      <TextInput
        label="Name"
        description="What people know it by, such as your organisation's name."
        required
        data-autofocus
        {...field("name")}
      />
      <TextInput
        label="Issuer"
        description="As the provider's own documents name it, to the letter."
        placeholder="https://id.acme.example"
        required
        {...field("issuer")}
      />
      <TextInput label="Client ID" required {...field("client_id")} />
      <Checkbox label="The client has a secret" checked={hasSecret} onChange={setHasSecret} />
      {hasSecret && (
        <PasswordInput
          label="Client secret"
          {...(isKept && { description: "Leave it empty to keep the one that is there." })}
          autoComplete="off"
          value={secret}
          onChange={setSecret}
        />
      )}
    </DialogForm>
  );
}
