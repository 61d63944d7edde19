// Makes a sync, or changes one: its source, its tables, how they are loaded, and when.

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation, useSearchParams } from "wouter";
import { api, bodyOf } from "../../../api/client.ts";
import { integrationsQuery, type Integration } from "../../../api/integrations.ts";
import type { components } from "../../../api/schema.d.ts";
import {
  Alert,
  Button,
  Checkbox,
  Choice,
  Group,
  Select,
  SimpleGrid,
  Stack,
  TextInput,
  useInputState,
} from "../../../ui/controls.ts";
import { EmptyState, ErrorNote, Loaded, LoadingLines } from "../../../ui/feedback/states.tsx";
import { showToast } from "../../../ui/feedback/toasts.tsx";
import { Page, Panel } from "../../../ui/layout/page.tsx";
import { LOAD_METHODS, type LoadMethod } from "../load-methods.ts";
import { syncQuery, syncsQuery } from "../queries.ts";
import { SCHEDULE_WORDS, type SyncSummary } from "../sync-state.ts";
import { syncHref } from "../sync-list.tsx";
import { LoadMethodNote } from "./load-method-note.tsx";
import { isSourceKind, type SourceKind } from "./source-tables.ts";
import { TablePicker } from "./table-picker.tsx";
import { useFormAction } from "../../../ui/feedback/use-action.ts";
import { Form } from "../../../ui/forms/form.tsx";

type Config = components["schemas"]["SyncConfig"];

export function SyncFormPage() {
  const [params, setParams] = useSearchParams();
  const integrationId = params.get("integration");
  const schema = params.get("schema");
  const integrations = useQuery(integrationsQuery);
  return (
    <Page title={schema ? "Change the sync" : "Make a sync"} trail={<Link href="/syncs">Syncs</Link>}>
      <Loaded query={integrations}>
        {(data) => {
          const sources = data.filter(({ type }) => isSourceKind(type));
          if (sources.length === 0)
            return (
              <EmptyState
                title="No database is connected"
                action={
                  <Button component={Link} href="/integrations/new">
                    Connect a database
                  </Button>
                }
              >
                A sync needs a database to read from.
              </EmptyState>
            );
          const source = sources.find(({ id }) => id === integrationId);
          return (
            <>
              <Select
                label="From"
                required
                disabled={schema !== null}
                data={sources.map(({ id, name }) => ({ value: id, label: name }))}
                value={source?.id ?? null}
                onChange={(id) => id && setParams({ integration: id })}
              />
              {source &&
                (schema ? (
                  <StoredSync source={source} schema={schema} />
                ) : (
                  <SyncForm key={source.id} source={source} />
                ))}
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

function StoredSync({ source, schema }: { source: Integration; schema: string }) {
  const syncs = useQuery(syncsQuery(source.id));
  const sync = syncs.data?.data.find(({ dest_schema }) => dest_schema === schema);
  if (syncs.error) return <ErrorNote error={syncs.error} />;
  if (!syncs.data) return <LoadingLines />;
  return sync ? <StoredConfig source={source} sync={sync} /> : <SyncForm source={source} />;
}

function StoredConfig({ source, sync }: { source: Integration; sync: SyncSummary }) {
  const config = useQuery(syncQuery(sync));
  return <Loaded query={config}>{({ sync_config }) => <SyncForm source={source} stored={sync_config} />}</Loaded>;
}

function SyncForm({ source, stored }: { source: Integration; stored?: Config }) {
  const [, navigate] = useLocation();
  const [schema, setSchema] = useInputState(
    stored?.dest_schema ?? source.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "_"),
  );
  const [tables, setTables] = useState<string[]>(stored?.tables ?? []);
  const [method, setMethod] = useState<LoadMethod>(stored?.load_method ?? "merge");
  const [schedule, setSchedule] = useState<Config["schedule"]>(stored?.schedule ?? "hourly");
  const [cron, setCron] = useInputState(stored?.cron ?? "");
  const [timezone, setTimezone] = useInputState(stored?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone);
  const [cursors, setCursors] = useState<Record<string, string>>(stored?.cursors ?? {});
  const [appendsFullRows, setAppendsFullRows] = useInputState(stored?.append_full_rows ?? false);
  const syncs = useQuery(syncsQuery(source.id));
  const replaced = stored ? undefined : syncs.data?.data.find(({ dest_schema }) => dest_schema === schema.trim());
  const named = Object.entries(cursors).filter(([table, column]) => column.trim() !== "" && tables.includes(table));
  const save = useFormAction(
    () =>
      bodyOf(
        api.POST("/v1/api/integrations/{integration_id}/sync", {
          params: {
            path: { integration_id: source.id },
            ...(stored && { header: { "If-Match": `"${stored.version}"` } }),
          },
          body: {
            dest_schema: schema.trim(),
            schedule,
            ...(cron.trim() && { cron: cron.trim(), timezone }),
            tables,
            load_method: method,
            ...(stored && { dest_integration_id: stored.dest_integration_id }),
            cursors: Object.fromEntries(named),
            append_full_rows: method === "append" && appendsFullRows,
          },
        }),
      ),
    {
      renews: ["syncs"],
      onDone: ({ notes }) => {
        for (const note of notes) showToast(note);
      },
      onRenewed: ({ run_id }) => navigate(`/syncs/${source.id}/runs/${run_id}`),
    },
  );
  return (
    <Form onSubmit={() => save.mutate()}>
      <Stack gap="lg">
        <Panel title="What">
          <TextInput
            label="Into the lake's schema"
            required
            disabled={stored !== undefined}
            value={schema}
            onChange={setSchema}
          />
          <TablePicker
            integrationId={source.id}
            kind={source.type as SourceKind}
            chosen={tables}
            onChange={setTables}
          />
        </Panel>
        <Panel title="How">
          <Choice
            label="Load method"
            data={Object.entries(LOAD_METHODS).map(([value, { title }]) => ({ value, label: title }))}
            value={method}
            onChange={setMethod}
          />
          <LoadMethodNote method={method} appendsFullRows={appendsFullRows} />
          {method === "append" && (
            <>
              <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
                {tables
                  .filter((table) => !table.endsWith(".*"))
                  .map((table) => (
                    <TextInput
                      key={table}
                      label={`Cursor of ${table}`}
                      placeholder="left empty, one is picked where it is sure"
                      value={cursors[table] ?? ""}
                      onChange={(event) => setCursors({ ...cursors, [table]: event.currentTarget.value })}
                    />
                  ))}
              </SimpleGrid>
              <Checkbox
                label="Add all rows of tables without a cursor at every run"
                checked={appendsFullRows}
                onChange={setAppendsFullRows}
              />
            </>
          )}
        </Panel>
        <Panel title="When">
          <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
            <Choice
              label="Schedule"
              disabled={cron.trim() !== ""}
              data={SCHEDULE_WORDS}
              value={schedule}
              onChange={setSchedule}
            />
            <TextInput label="Or by cron" placeholder="30 6 * * 1-5" value={cron} onChange={setCron} />
            <TextInput label="Time zone" disabled={cron.trim() === ""} value={timezone} onChange={setTimezone} />
          </SimpleGrid>
        </Panel>
        {replaced && (
          <Alert color="yellow" title="This replaces a sync">
            There is a sync of {source.name} into {replaced.dest_schema} already.{" "}
            <Link href={syncHref(replaced)}>Look at it</Link>, or name another schema.
          </Alert>
        )}
        {save.error && <ErrorNote error={save.error} />}
        <Group>
          <Button type="submit" loading={save.isPending} disabled={tables.length === 0}>
            {stored ? "Save and run" : "Make the sync and run it"}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}
