// A run that somebody asks for: some datasets or all, and for Python its data and variables.

import { useState } from "react";
import { useLocation } from "wouter";
import { api, dataOf } from "../../../api/client.ts";
import {
  Button,
  Modal,
  MultiSelect,
  Stack,
  Text,
  Textarea,
  useDisclosure,
  useInputState,
} from "../../../ui/controls.ts";
import { ErrorNote } from "../../../ui/feedback/states.tsx";
import { datasetsOf } from "../datasets.ts";
import { executeDoc, executionPath, type DocDetail } from "../../../api/docs.ts";
import { useFormAction } from "../../../ui/feedback/use-action.ts";

type RunNowProps = { doc: DocDetail; title?: string };

export function RunNow({ doc, title = "Run" }: RunNowProps) {
  const [isOpen, dialog] = useDisclosure(false);
  return (
    <>
      <Button size="xs" onClick={dialog.open}>
        {title} …
      </Button>
      <Modal opened={isOpen} onClose={dialog.close} title={`Run ${doc.name}`}>
        <Order doc={doc} />
      </Modal>
    </>
  );
}

function Order({ doc }: { doc: DocDetail }) {
  const [, navigate] = useLocation();
  const [keys, setKeys] = useState<string[]>([]);
  const [data, setData] = useInputState("");
  const [variables, setVariables] = useInputState("");
  const datasets = datasetsOf(doc.definition);
  const hasPython = datasets.some(({ engine }) => engine === "python");
  const hasPayload = data.trim() !== "" || variables.trim() !== "";
  const run = useFormAction(
    async () => {
      const chosen = keys.length > 0 ? { datasetKeys: keys } : {};
      if (!hasPayload) {
        const params = { path: { doc_id: doc.id } };
        return (await dataOf(api.POST("/v4/docs/{doc_id}/run", { params, body: chosen }))).id;
      }
      return executeDoc(executionPath(doc.id), JSON.stringify({ ...chosen, ...payloadOf(data, variables) }));
    },
    { renews: ["docs", doc.id], onRenewed: (id) => navigate(`/docs/${doc.id}/runs/${id}`) },
  );
  return (
    <Stack gap="sm">
      <MultiSelect
        label="Datasets"
        placeholder={keys.length === 0 ? "All of them" : ""}
        description="Those that they are made from run, too."
        data={datasets.map(({ key }) => key)}
        value={keys}
        onChange={setKeys}
        searchable
        clearable
      />
      {hasPython && (
        <>
          <Textarea
            label="Data"
            description="JSON, which Python finds in WEBHOOK_DATA_FILE. With data, the datasets in Python run."
            autosize
            minRows={2}
            maxRows={10}
            value={data}
            onChange={setData}
          />
          <Textarea
            label="Environment variables"
            description="One a line: NAME=value"
            autosize
            minRows={1}
            maxRows={6}
            value={variables}
            onChange={setVariables}
          />
        </>
      )}
      {run.error && <ErrorNote error={run.error} />}
      <Button loading={run.isPending} onClick={() => run.mutate()}>
        Run
      </Button>
      <Text size="xs" c="dimmed">
        It runs under your rights.
      </Text>
    </Stack>
  );
}

type Payload = { data?: unknown; environmentVariables?: Record<string, string> };

/** Throws what is wrong with the JSON. */
function payloadOf(data: string, variables: string): Payload {
  const pairs = variables.split("\n").filter((line) => line.includes("="));
  return {
    ...(data.trim() && { data: JSON.parse(data) as unknown }),
    ...(pairs.length > 0 && {
      environmentVariables: Object.fromEntries(
        pairs.map((line) => [line.slice(0, line.indexOf("=")).trim(), line.slice(line.indexOf("=") + 1)]),
      ),
    }),
  };
}
