// The grants of a role as a form. Filters and masks are their JSON, as the API takes them: docs/data-access.md has the
// grammar.

import { useQuery } from "@tanstack/react-query";
import { integrationsQuery } from "../../api/integrations.ts";
import type { components } from "../../api/schema.d.ts";
import { ActionIcon, Button, Group, Select, Stack, TagsInput, Textarea, TextInput } from "../../ui/controls.ts";
import { Icon } from "../../ui/icons.tsx";
import styles from "./grant-list.module.css";

type AccessGrant = components["schemas"]["AccessGrant"];

/** `rest` is the JSON text of filters and masks. */
export type GrantForm = { integrationId: string; schema: string; table: string; excluded: string[]; rest: string };

export const toForm = (grant: AccessGrant): GrantForm => {
  const { integration_id: integrationId, schema, table, exclude_columns: excluded, filters, masks } = grant;
  const rest = { ...(filters.length > 0 && { filters }), ...(masks && Object.keys(masks).length > 0 && { masks }) };
  return {
    integrationId,
    schema,
    table,
    excluded,
    rest: Object.keys(rest).length > 0 ? JSON.stringify(rest, null, 2) : "",
  };
};

/** Throws an Error for people where the JSON is none. */
export function fromForm({ integrationId, schema, table, excluded, rest }: GrantForm): AccessGrant {
  const grant = { integration_id: integrationId, schema, table: table || "*", exclude_columns: excluded, filters: [] };
  if (rest.trim() === "") return grant;
  try {
    return { ...grant, ...(JSON.parse(rest) as object) };
  } catch {
    throw new Error(`The filters and masks of ${schema}.${table} are not valid JSON.`);
  }
}

const EMPTY: GrantForm = { integrationId: "", schema: "", table: "*", excluded: [], rest: "" };
const REST_EXAMPLE = '{"filters": [{"member": "country", "operator": "equals", "values": ["NO"]}]}';

type GrantListProps = { grants: readonly GrantForm[]; onChange: (grants: GrantForm[]) => void };

export function GrantList({ grants, onChange }: GrantListProps) {
  const integrations = useQuery(integrationsQuery);
  const choices = (integrations.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const change = (at: number, part: Partial<GrantForm>) =>
    onChange(grants.map((grant, index) => (index === at ? { ...grant, ...part } : grant)));
  return (
    <Stack gap="sm">
      {grants.map((grant, at) => (
        <fieldset key={at} className={styles.grant}>
          <legend>{grant.schema ? `${grant.schema}.${grant.table || "*"}` : "New grant"}</legend>
          <Group align="end" gap="xs">
            <Select
              label="Integration"
              w={200}
              searchable
              data={choices}
              value={grant.integrationId || null}
              onChange={(integrationId) => change(at, { integrationId: integrationId ?? "" })}
            />
            <TextInput
              label="Schema"
              w={150}
              value={grant.schema}
              onChange={(event) => change(at, { schema: event.currentTarget.value })}
            />
            <TextInput
              label="Table (* for all)"
              w={180}
              value={grant.table}
              onChange={(event) => change(at, { table: event.currentTarget.value })}
            />
            <TagsInput
              label="Hidden columns"
              className={styles.wide}
              value={grant.excluded}
              onChange={(excluded) => change(at, { excluded })}
            />
            <ActionIcon
              size="lg"
              aria-label={`Take back the grant of ${grant.schema || "nothing"}`}
              onClick={() => onChange(grants.filter((_, index) => index !== at))}
            >
              <Icon name="trash" />
            </ActionIcon>
          </Group>
          <Textarea
            label="Filters and masks, as JSON"
            placeholder={REST_EXAMPLE}
            autosize
            minRows={1}
            maxRows={12}
            classNames={{ input: styles.code ?? "" }}
            value={grant.rest}
            onChange={(event) => change(at, { rest: event.currentTarget.value })}
          />
        </fieldset>
      ))}
      <Group>
        <Button variant="default" size="xs" onClick={() => onChange([...grants, EMPTY])}>
          Grant something
        </Button>
      </Group>
    </Stack>
  );
}
