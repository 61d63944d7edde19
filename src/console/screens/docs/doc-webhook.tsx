// A doc's webhook: how it is called from elsewhere, whether calls must be signed, and a call to try it with.

import { useMutation } from "@tanstack/react-query";
import { Link } from "wouter";
import { api, bodyOf, dataOf } from "../../api/client.ts";
import { useMay } from "../../api/me.ts";
import { Button, Code, Group, Stack, Text, Textarea, useInputState } from "../../ui/controls.ts";
import { State } from "../../ui/data/values.tsx";
import { ErrorNote } from "../../ui/feedback/states.tsx";
import { useAction } from "../../ui/feedback/use-action.ts";
import { ConfirmButton } from "../../ui/forms/confirm-button.tsx";
import { CopyButton } from "../../ui/forms/copy-button.tsx";
import { ShownOnce } from "../../ui/forms/shown-once.tsx";
import { Panel } from "../../ui/layout/page.tsx";
import { executeDoc, executionPath, type DocDetail } from "../../api/docs.ts";

const FIRST_BODY = '{"data": {"rows": 5}}';

export function DocWebhook({ doc }: { doc: DocDetail }) {
  const [mayWrite, mayRun] = [useMay("docs:write"), useMay("docs:run")];
  const [body, setBody] = useInputState(FIRST_BODY);
  const path = executionPath(doc.id);
  const curl = curlOf(location.origin + path, body);
  const send = useMutation({ mutationFn: () => executeDoc(path, body) });
  return (
    <Stack gap="lg">
      <Panel title="Try it">
        <Textarea
          label="Body"
          description="data, environmentVariables and datasetKeys, each optional"
          autosize
          minRows={3}
          maxRows={14}
          value={body}
          error={jsonFlaw(body)}
          onChange={setBody}
          styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
        />
        <Group gap="sm">
          {mayRun && (
            <Button loading={send.isPending} disabled={jsonFlaw(body) !== undefined} onClick={() => send.mutate()}>
              Send
            </Button>
          )}
          {send.data && <Link href={`/docs/${doc.id}/runs/${send.data}`}>It runs: look at the run</Link>}
        </Group>
        {doc.is_signed && (
          <Text size="sm">Calls must be signed, which this page cannot do: it does not know the secret.</Text>
        )}
        {send.error && <ErrorNote error={send.error} />}
        <Text size="sm" fw={550}>
          The same from elsewhere
        </Text>
        <Group gap="xs" align="start" wrap="nowrap">
          <Code block style={{ flex: 1, whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
            {curl}
          </Code>
          <CopyButton text={curl} label="Copy the command" />
        </Group>
      </Panel>
      {mayWrite && <SigningSecret doc={doc} />}
    </Stack>
  );
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** `$KEY` stays for whoever pastes it: no key is ever on this page. */
const curlOf = (url: string, body: string): string =>
  `curl -sS ${quoted(url)} -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d ${quoted(body)}`;

function jsonFlaw(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return String(error instanceof Error ? error.message : error);
  }
}

function SigningSecret({ doc }: { doc: DocDetail }) {
  const params = { path: { doc_id: doc.id } };
  const renewing = { renews: ["docs", doc.id] };
  const set = useAction(() => dataOf(api.PUT("/v4/docs/{doc_id}/webhook-secret", { params, body: {} })), renewing);
  const remove = useAction(() => bodyOf(api.DELETE("/v4/docs/{doc_id}/webhook-secret", { params })), renewing);
  return (
    <Panel title="Signed calls">
      <Group gap="sm">
        {doc.is_signed ? <State tone="good">must be signed</State> : <State tone="quiet">a key is enough</State>}
        <ConfirmButton
          question={
            doc.is_signed
              ? "Senders that sign with the present secret are refused from then on."
              : "From then on calls without a signature are refused."
          }
          verb={doc.is_signed ? "Make another" : "Ask for signatures"}
          isBusy={set.isPending}
          onConfirm={() => set.mutate()}
        >
          {doc.is_signed ? "Change the secret" : "Set a secret"}
        </ConfirmButton>
        {doc.is_signed && (
          <ConfirmButton
            question="Calls with a key alone are taken again."
            verb="Remove"
            isBusy={remove.isPending}
            onConfirm={() => remove.mutate()}
          >
            Remove it
          </ConfirmButton>
        )}
      </Group>
      {set.data && <ShownOnce title="Webhook secret" secret={set.data.secret} />}
    </Panel>
  );
}
