// Connects an integration: its kind, then its form. The connection is tried before anything is stored, and a failure
// says at which step it was.

import { useState } from "react";
import { Link, useLocation } from "wouter";
import { api, bodyOf } from "../../api/client.ts";
import type { components } from "../../api/schema.d.ts";
import { Button, Group, Loader, Stack, TextInput, useInputState } from "../../ui/controls.ts";
import { showToast } from "../../ui/feedback/toasts.tsx";
import { Page, Panel } from "../../ui/layout/page.tsx";
import { ConnectionFailure } from "./connection-result.tsx";
import { CredentialFields } from "./credential-fields.tsx";
import { besideFrom, credentialsFrom, FORMS, initialValues, kindOf, KINDS, type IntegrationKind } from "./forms.ts";
import styles from "./integrations.module.css";
import { useFormAction } from "../../ui/feedback/use-action.ts";
import { Form } from "../../ui/forms/form.tsx";

export function Wizard({ kindName }: { kindName: string | undefined }) {
  const kind = kindOf(kindName);
  const trail = <Link href="/integrations">Integrations</Link>;
  if (kind) return <NewIntegrationPage key={kind} kind={kind} />;
  return (
    <Page title="Connect" lead="What do you want to connect?" trail={trail}>
      <ul className={styles.kinds}>
        {KINDS.map((name) => (
          <li key={name}>
            <Link href={`/integrations/new/${name}`} className={styles.kind}>
              <b>{FORMS[name].title}</b>
              <span>{FORMS[name].text}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Page>
  );
}

function NewIntegrationPage({ kind }: { kind: IntegrationKind }) {
  const [, navigate] = useLocation();
  const { title, text, isTestedLater = false } = FORMS[kind];
  const [name, setName] = useInputState("");
  const [values, setValues] = useState(() => initialValues(kind));
  const create = useFormAction(
    () => {
      const credentials = credentialsFrom(kind, values);
      const body = { type: kind, name: name.trim() || null, credentials, ...besideFrom(kind, values) };
      // Which fields a kind has is held by the type of `FORMS`; what was typed into them the API judges.
      return bodyOf(api.POST("/v1/api/integrations", { body: body as components["schemas"]["NewIntegration"] }));
    },
    {
      renews: ["integrations"],
      onDone: ({ integration, warnings }) => {
        // What its page goes on with needs no warning.
        for (const warning of isTestedLater ? [] : warnings) showToast(warning, "bad");
        showToast(`${integration.name} is ${isTestedLater ? "kept" : "connected"}.`);
      },
      onRenewed: ({ integration }) => navigate(`/integrations/${integration.id}`),
    },
  );
  const trail = (
    <>
      <Link href="/integrations">Integrations</Link> / <Link href="/integrations/new">Connect</Link>
    </>
  );
  return (
    <Page title={`Connect ${title}`} lead={text} trail={trail}>
      <Panel>
        <Form onSubmit={() => create.mutate()}>
          <Stack gap="md">
            <TextInput
              label="Name"
              placeholder="A free name is made if you leave it out"
              value={name}
              onChange={setName}
            />
            <CredentialFields kind={kind} values={values} onChange={setValues} />
            {create.error && <ConnectionFailure error={create.error} />}
            <Group gap="sm">
              <Button type="submit" disabled={create.isPending}>
                {isTestedLater ? "Save" : "Test and save"}
              </Button>
              {create.isPending && (
                <Group gap="xs" role="status">
                  <Loader size="xs" />{" "}
                  {isTestedLater ? "Saving …" : "Connecting: name, network, TLS, login, database …"}
                </Group>
              )}
            </Group>
            <small>
              {isTestedLater
                ? "It is not connected to yet: its page makes the key by which it reads the lake, and tests it then."
                : "Nothing is stored unless the connection works."}{" "}
              Secrets are sealed, and never shown again.
            </small>
          </Stack>
        </Form>
      </Panel>
    </Page>
  );
}
