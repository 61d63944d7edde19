// A new delivery: what is sent, to whom, when, and with which files.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, dataOf } from "../../api/client.ts";
import type { components } from "../../api/schema.d.ts";
import { Button, Group, NumberInput, Select, Stack, TagsInput, TextInput } from "../../ui/controls.ts";
import { ErrorNote } from "../../ui/feedback/states.tsx";

type NewDelivery = components["schemas"]["NewDelivery"];
type ConditionKind = "always" | "rows" | "no_rows" | "value" | "change";

export function DeliveryForm({ onDone }: { onDone: () => void }) {
  const cache = useQueryClient();
  const [name, setName] = useState("");
  const [source, setSource] = useState<string | null>(null);
  const [mails, setMails] = useState<string[]>([]);
  const [places, setPlaces] = useState<string | null>(null);
  const [kind, setKind] = useState<ConditionKind>("always");
  const [column, setColumn] = useState("");
  const [bound, setBound] = useState<number | string>(0);
  const [files, setFiles] = useState("none");
  const sources = useQuery({
    queryKey: ["deliveries", "sources"],
    queryFn: async () => {
      const query = { limit: 100 };
      const [docs, queries, destinations] = await Promise.all([
        dataOf(api.GET("/v4/docs", { params: { query } })),
        dataOf(api.GET("/v4/queries", { params: { query } })),
        dataOf(api.GET("/v4/destinations", { params: { query: { limit: 50 } } })),
      ]);
      return {
        sources: [
          { group: "Docs", items: docs.items.map(({ id, name: label }) => ({ value: `doc ${id}`, label })) },
          {
            group: "Saved queries",
            items: queries.items.map(({ id, name: label }) => ({ value: `query ${id}`, label })),
          },
        ],
        destinations: destinations.items.map((one) => ({ value: `${one.kind} ${one.id}`, label: one.name })),
      };
    },
  });
  const create = useMutation({
    mutationFn: () => {
      const [sourceKind, sourceId] = source!.split(" ") as ["doc" | "query", string];
      const [channel, destinationId] = (places?.split(" ") ?? []) as ["teams" | "webhook"] & string[];
      const body: NewDelivery = {
        name: name.trim(),
        subject: null,
        message: null,
        source: sourceKind === "doc" ? { kind: "doc", doc_id: sourceId } : { kind: "query", query_id: sourceId },
        to: [
          ...mails.map((address) => ({ channel: "email" as const, address })),
          ...(destinationId ? [{ channel, destination_id: destinationId }] : []),
        ],
        files: files === "none" ? null : { format: files as "csv" | "parquet", by: "attachment", days: 7 },
        condition: conditionOf(kind, column.trim(), Number(bound)),
      };
      return dataOf(api.POST("/v4/deliveries", { body }));
    },
    onSuccess: async () => {
      await cache.invalidateQueries({ queryKey: ["deliveries"] });
      onDone();
    },
  });
  const hasColumn = kind === "value" || kind === "change";
  return (
    <Stack gap="sm">
      <TextInput label="Name" required value={name} onChange={(event) => setName(event.currentTarget.value)} />
      <Select
        label="What is sent"
        required
        data={sources.data?.sources ?? []}
        error={sources.error?.message}
        value={source}
        onChange={setSource}
        searchable
      />
      <TagsInput
        label="By mail to"
        description="Members, or addresses that have confirmed. Enter adds one."
        value={mails}
        onChange={setMails}
      />
      <Select
        label="To a destination"
        placeholder="None"
        data={sources.data?.destinations ?? []}
        value={places}
        onChange={setPlaces}
        clearable
      />
      <Group grow align="start">
        <Select
          label="When"
          allowDeselect={false}
          value={kind}
          onChange={(value) => setKind(value as ConditionKind)}
          data={[
            { value: "always", label: "with every run" },
            { value: "rows", label: "when there are rows" },
            { value: "no_rows", label: "when there are none" },
            { value: "value", label: "when a value is greater than" },
            { value: "change", label: "when a value changes by more than" },
          ]}
        />
        {hasColumn && (
          <>
            <TextInput label="Column" value={column} onChange={(event) => setColumn(event.currentTarget.value)} />
            <NumberInput label="Bound" value={bound} onChange={setBound} />
          </>
        )}
      </Group>
      <Select
        label="Whole results as files"
        allowDeselect={false}
        value={files}
        onChange={(value) => setFiles(value ?? "none")}
        data={[
          { value: "none", label: "No files" },
          { value: "csv", label: "CSV" },
          { value: "parquet", label: "Parquet" },
        ]}
      />
      {create.error && <ErrorNote error={create.error} />}
      <Group justify="end">
        <Button
          loading={create.isPending}
          disabled={!name.trim() || !source || (mails.length === 0 && !places)}
          onClick={() => create.mutate()}
        >
          Make the delivery
        </Button>
      </Group>
    </Stack>
  );
}

function conditionOf(kind: ConditionKind, column: string, bound: number): NewDelivery["condition"] {
  switch (kind) {
    case "always":
      return null;
    case "rows":
    case "no_rows":
      return { kind };
    case "value":
      return { kind, column, operator: ">", value: bound };
    case "change":
      return { kind, column, more_than: bound, unit: "absolute" };
  }
}
