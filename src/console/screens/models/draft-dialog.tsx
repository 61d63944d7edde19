// Tables of a lake or a database are chosen, and cubes are drafted from them into the editor; nothing is saved.

import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, bodyOf } from "../../api/client.ts";
import { Button, Checkbox, Group, Text, TextInput, useInputState } from "../../ui/controls.ts";
import { EmptyState, Loaded } from "../../ui/feedback/states.tsx";
import { DialogForm } from "../../ui/forms/dialog-form.tsx";
import type { ModelFile } from "./changes.ts";
import styles from "./models.module.css";
import type { Integration } from "../../api/integrations.ts";
import { tablesQuery } from "./queries.ts";

/** The most that one draft describes. */
const TABLES_MAX = 100;
const SHOWN_MAX = 300;

type DraftDialogProps = {
  cube: Integration;
  base: Integration;
  onDrafted: (files: readonly ModelFile[], warnings: readonly string[]) => void;
};

export function DraftDialog({ cube, base, onDrafted }: DraftDialogProps) {
  const tables = useQuery(tablesQuery(base));
  return (
    <Loaded query={tables}>
      {(found) =>
        found.length === 0 ? (
          <EmptyState title={`${base.name} has no tables yet`}>Bring some in by a sync or by an upload.</EmptyState>
        ) : (
          <Choice cube={cube} tables={found} onDrafted={onDrafted} />
        )
      }
    </Loaded>
  );
}

type ChoiceProps = Pick<DraftDialogProps, "cube" | "onDrafted"> & { tables: readonly string[] };

function Choice({ cube, tables, onDrafted }: ChoiceProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(tables.length <= TABLES_MAX ? tables : []));
  const [text, setText] = useInputState("");
  const fitting = tables.filter((table) => table.toLowerCase().includes(text.trim().toLowerCase()));
  const draft = useMutation({
    mutationFn: () =>
      bodyOf(
        api.POST("/v1/api/integrations/{integration_id}/model/draft", {
          params: { path: { integration_id: cube.id } },
          body: { tables: [...chosen] },
        }),
      ),
    onSuccess: ({ files, warnings }) => onDrafted(files, warnings),
  });
  const isAll = fitting.length > 0 && fitting.every((table) => chosen.has(table));
  const set = (names: readonly string[], isChosen: boolean) =>
    setChosen((now) => {
      const next = new Set(now);
      for (const name of names) {
        if (isChosen) next.add(name);
        else next.delete(name);
      }
      return next;
    });
  return (
    <DialogForm work={draft} verb="Draft" isIncomplete={chosen.size === 0 || chosen.size > TABLES_MAX}>
      <Text size="sm">
        Each table becomes a cube: numbers as sums, times and texts as dimensions, joins by keys and by names such as
        customer_id. The text goes into the editor; nothing is saved.
      </Text>
      <Group gap="sm">
        <TextInput
          aria-label="Find a table"
          placeholder="Find a table"
          data-autofocus
          value={text}
          onChange={setText}
        />
        <Button size="xs" variant="default" onClick={() => set(fitting, !isAll)}>
          {isAll ? "None of these" : "All of these"}
        </Button>
        <Text size="xs" c={chosen.size > TABLES_MAX ? "var(--bad)" : "dimmed"}>
          {chosen.size} of at most {TABLES_MAX} chosen
        </Text>
      </Group>
      <div className={styles.tables} role="group" aria-label="Tables">
        {fitting.slice(0, SHOWN_MAX).map((table) => (
          <Checkbox
            key={table}
            size="xs"
            label={table}
            checked={chosen.has(table)}
            onChange={(event) => set([table], event.currentTarget.checked)}
          />
        ))}
        {fitting.length > SHOWN_MAX && <small>{fitting.length - SHOWN_MAX} more: type a part of a name.</small>}
      </div>
    </DialogForm>
  );
}
