// A delivery, made or changed: what is sent, to whom, when, and with which files.

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, bodyOf, dataOf } from "../../api/client.ts";
import { Choice, Group, MultiSelect, NumberInput, Select, TagsInput, Textarea, TextInput } from "../../ui/controls.ts";
import { DialogForm } from "../../ui/forms/dialog-form.tsx";
import { changesOf, deliveryOf, fieldsOf, type DeliveryFields } from "./delivery-fields.ts";
import { sourceWords, type Delivery } from "./delivery-words.ts";
import { useFormAction } from "../../ui/feedback/use-action.ts";

const KINDS: Record<DeliveryFields["kind"], string> = {
  always: "with every run",
  rows: "when there are rows",
  no_rows: "when there are none",
  value: "when a value is",
  change: "when a value changes by more than",
};
const OPERATORS = [">", ">=", "<", "<=", "=", "!="];
const UNITS = { absolute: "as a number", percent: "percent" };
const FORMATS = { none: "No files", csv: "CSV", parquet: "Parquet" };
const WAYS = { attachment: "attached", link: "as a link" };

export function DeliveryForm({ delivery, onDone }: { delivery: Delivery | undefined; onDone: () => void }) {
  const [fields, setFields] = useState(() => fieldsOf(delivery));
  const set = (change: Partial<DeliveryFields>) => setFields((now) => ({ ...now, ...change }));
  const choices = useQuery({ queryKey: ["deliveries", "choices"], queryFn: fetchChoices });
  const { sources, destinations, slackId } = choices.data ?? {};
  const save = useFormAction(
    async () => {
      if (!delivery) return dataOf(api.POST("/v4/deliveries", { body: deliveryOf(fields, slackId) }));
      const changes = changesOf(fields, slackId, delivery);
      if (Object.keys(changes).length === 0) return delivery;
      const params = { path: { delivery_id: delivery.id } };
      return dataOf(api.PATCH("/v4/deliveries/{delivery_id}", { params, body: changes }));
    },
    { renews: ["deliveries"], onRenewed: onDone },
  );
  const hasRecipient = fields.mails.length + fields.slack.length + fields.places.length > 0;
  const hasColumn = fields.kind === "value" || fields.kind === "change";
  return (
    <DialogForm
      work={save}
      verb={delivery ? "Save" : "Make the delivery"}
      isIncomplete={!fields.name.trim() || !fields.source || !hasRecipient}
    >
      <TextInput
        label="Name"
        required
        value={fields.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <Select
        label="What is sent"
        required
        data={withOwn(sources ?? [], delivery)}
        error={choices.error?.message}
        value={fields.source}
        onChange={(source) => set({ source })}
        searchable
      />
      <TagsInput
        label="By mail to"
        description="Members, or addresses that have confirmed. Enter adds one."
        value={fields.mails}
        onChange={(mails) => set({ mails })}
      />
      {(slackId !== undefined || fields.slack.length > 0) && (
        <TagsInput
          label="To Slack channels"
          description="By their ids, such as C0123456789. Enter adds one."
          value={fields.slack}
          onChange={(slack) => set({ slack })}
        />
      )}
      <MultiSelect
        label="To destinations"
        placeholder={fields.places.length === 0 ? "None" : ""}
        data={destinations ?? []}
        value={fields.places}
        onChange={(places) => set({ places })}
        clearable
      />
      <TextInput
        label="Subject"
        placeholder={fields.name}
        value={fields.subject}
        onChange={(event) => set({ subject: event.currentTarget.value })}
      />
      <Textarea
        label="Text before the results"
        autosize
        minRows={2}
        maxRows={6}
        value={fields.message}
        onChange={(event) => set({ message: event.currentTarget.value })}
      />
      <Group grow align="start">
        <Choice label="When" data={KINDS} value={fields.kind} onChange={(kind) => set({ kind })} />
        {hasColumn && (
          <TextInput
            label="Column"
            required
            value={fields.column}
            onChange={(event) => set({ column: event.currentTarget.value })}
          />
        )}
      </Group>
      {hasColumn && (
        <Group grow align="start">
          {fields.kind === "value" ? (
            <Choice label="Is" data={OPERATORS} value={fields.operator} onChange={(operator) => set({ operator })} />
          ) : (
            <Choice label="Counted" data={UNITS} value={fields.unit} onChange={(unit) => set({ unit })} />
          )}
          <NumberInput label="Bound" value={fields.bound} onChange={(bound) => set({ bound })} />
        </Group>
      )}
      <Group grow align="start">
        <Choice
          label="Whole results as files"
          data={FORMATS}
          value={fields.format}
          onChange={(format) => set({ format })}
        />
        {fields.format !== "none" && (
          <Choice
            label="Sent"
            description="Teams and webhooks take links alone."
            data={WAYS}
            value={fields.by}
            onChange={(by) => set({ by })}
          />
        )}
      </Group>
    </DialogForm>
  );
}

type Sources = Awaited<ReturnType<typeof fetchChoices>>["sources"];

/** The source that the delivery has is a choice before the others have come, and beyond their first page, too. */
function withOwn(sources: Sources, delivery: Delivery | undefined): Sources {
  const { source } = fieldsOf(delivery);
  const isKnown = sources.some(({ items }) => items.some(({ value }) => value === source));
  if (!delivery || source === null || isKnown) return sources;
  return [...sources, { group: "As it is", items: [{ value: source, label: sourceWords(delivery) }] }];
}

async function fetchChoices() {
  const query = { limit: 100 };
  const [docs, queries, destinations, slack] = await Promise.all([
    dataOf(api.GET("/v4/docs", { params: { query } })),
    dataOf(api.GET("/v4/queries", { params: { query } })),
    dataOf(api.GET("/v4/destinations", { params: { query: { limit: 50 } } })),
    bodyOf(api.GET("/v1/api/integrations", { params: { query: { type: "slack", limit: 1 } } })),
  ]);
  return {
    sources: [
      { group: "Docs", items: docs.items.map(({ id, name: label }) => ({ value: `doc ${id}`, label })) },
      { group: "Saved queries", items: queries.items.map(({ id, name: label }) => ({ value: `query ${id}`, label })) },
    ],
    // Destinations of kind events take no deliveries.
    destinations: destinations.items
      .filter(({ kind }) => kind !== "events")
      .map((one) => ({ value: `${one.kind} ${one.id}`, label: one.name })),
    slackId: slack.data[0]?.id,
  };
}
