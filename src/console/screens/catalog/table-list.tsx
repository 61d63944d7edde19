// All tables of a lake, by schema; the search narrows them as one types, and is kept in the address.

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Link, useSearchParams } from "wouter";
import type { components } from "../../api/schema.d.ts";
import { Choice, Group, TextInput } from "../../ui/controls.ts";
import { Bytes, Count, Time } from "../../ui/data/values.tsx";
import { wordsFinder } from "../../ui/data/words.ts";
import { VirtualList } from "../../ui/data/virtual-list.tsx";
import { EmptyState, Loaded } from "../../ui/feedback/states.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { lakesQuery, tableHref, tablesQuery } from "./queries.ts";
import styles from "./catalog.module.css";
import { useSearch } from "../../ui/use-search.ts";

type LakeTable = components["schemas"]["LakeTable"];
type Item = { schema: string; count: number; table?: LakeTable };

const ROW_PX = 40;
const LIST_PX = 720;

export function TableList() {
  const [params, setParams] = useSearchParams();
  const lakes = useQuery(lakesQuery);
  return (
    <Page title="Catalog" lead="Every table of the lake: its columns, its history, and what it is made of.">
      <Loaded query={lakes}>
        {(data) => {
          const lake =
            data.find(({ id }) => id === params.get("lake")) ?? data.find(({ is_default }) => is_default) ?? data[0];
          if (!lake)
            return <EmptyState title="There is no lake">An admin can connect one under Integrations.</EmptyState>;
          return (
            <>
              {data.length > 1 && (
                <Group>
                  <Choice
                    label="Lake"
                    data={data.map(({ id, name }) => ({ value: id, label: name }))}
                    value={lake.id}
                    onChange={(id) => setParams({ lake: id })}
                  />
                </Group>
              )}
              <Tables key={lake.id} integrationId={lake.id} />
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

function Tables({ integrationId }: { integrationId: string }) {
  const [params, changeSearch] = useSearch();
  const text = params.get("q") ?? "";
  const tables = useQuery(tablesQuery(integrationId));
  const all = tables.data?.items;
  const items = useMemo(() => itemsOf(all ?? [], text), [all, text]);
  return (
    <Loaded query={tables}>
      {({ items: found }) =>
        found.length === 0 ? (
          <EmptyState
            title="The lake is empty"
            action={<Link href={`/integrations/${integrationId}`}>Load the sample</Link>}
          >
            Tables come by syncs, by docs, by SQL, or with the sample.
          </EmptyState>
        ) : (
          <>
            <TextInput
              aria-label="Search the tables"
              placeholder={`Search ${found.length} tables`}
              leftSection={<Icon name="search" size={16} />}
              value={text}
              onChange={(event) => changeSearch({ q: event.currentTarget.value || undefined }, { replace: true })}
            />
            {items.length === 0 ? (
              <EmptyState title="No table of that name">The search looks at schemas, names and comments.</EmptyState>
            ) : (
              <div className={styles.list}>
                <VirtualList
                  label="Tables"
                  items={items}
                  itemHeight={ROW_PX}
                  heightMax={LIST_PX}
                  keyOf={({ schema, table }) => `${schema} ${table?.table_name ?? ""}`}
                >
                  {(item) =>
                    item.table ? <Row integrationId={integrationId} table={item.table} /> : <Head item={item} />
                  }
                </VirtualList>
              </div>
            )}
          </>
        )
      }
    </Loaded>
  );
}

const Head = ({ item: { schema, count } }: { item: Item }) => (
  <div className={styles.schema}>
    <Icon name="folder" size={14} /> {schema} <small>{count === 1 ? "1 table" : `${count} tables`}</small>
  </div>
);

function Row({ integrationId, table }: { integrationId: string; table: LakeTable }) {
  const { schema_name: schema, table_name: name, comment, row_count, bytes, last_change } = table;
  return (
    <div className={styles.row}>
      <span className={styles.name}>
        <Link href={tableHref({ integrationId, schema, table: name })}>{name}</Link>
        {comment && <small>{comment}</small>}
      </span>
      <span>
        <Count value={row_count} /> rows
      </span>
      <span>
        <Bytes value={bytes} />
      </span>
      <span>
        <Time at={last_change.at} never="" />
      </span>
    </div>
  );
}

function itemsOf(tables: readonly LakeTable[], text: string): Item[] {
  const isFound = wordsFinder(text);
  const found = tables.filter(({ schema_name, table_name, comment }) =>
    isFound(`${schema_name}.${table_name} ${comment ?? ""}`),
  );
  return [...Map.groupBy(found, ({ schema_name }) => schema_name)].flatMap(([schema, own]) => [
    { schema, count: own.length },
    ...own.map((table) => ({ schema, count: own.length, table })),
  ]);
}
