// The files of a model are listed with what is new or changed of them, and where flaws are.

import { Button, TextInput, useInputState } from "../../ui/controls.ts";
import { Icon } from "../../ui/icons.tsx";
import { flawOfPath, type Changes, type ModelFile } from "./changes.ts";
import styles from "./models.module.css";
import type { ModelFlaw } from "./queries.ts";
import { Form } from "../../ui/forms/form.tsx";

const FIRST_TEXT = `cubes:
  - name: orders
    sql_table: sample.orders
    dimensions:
      - { name: order_id, sql: "{CUBE}.order_id", type: number, primary_key: true }
    measures:
      - { name: count, type: count }
`;

type FileListProps = {
  files: readonly ModelFile[];
  saved: readonly ModelFile[];
  changes: Changes;
  flaws: readonly ModelFlaw[];
  open: string | undefined;
  onOpen: (path: string) => void;
  /** Null deletes the file. */
  onChange: (path: string, content: string | null) => void;
};

export function FileList({ files, saved, changes, flaws, open, onOpen, onChange }: FileListProps) {
  const [added, setAdded] = useInputState<string | undefined>(undefined);
  const wasSaved = (path: string) => saved.find((file) => file.path === path)?.content;
  const gone = Object.keys(changes).filter((path) => changes[path] === null);
  const flaw = added === undefined ? undefined : flawOfPath(added, files);
  const add = () => {
    if (added === undefined || flaw !== undefined) return;
    onChange(added, FIRST_TEXT);
    setAdded(undefined);
  };
  return (
    <nav className={styles.files} aria-label="Files of the model">
      <ul>
        {files.map(({ path }) => {
          const count = flaws.filter(({ file }) => file === path).length;
          const mark = !Object.hasOwn(changes, path) ? "" : wasSaved(path) === undefined ? "new" : "changed";
          return (
            <li key={path} data-open={path === open || undefined}>
              <button
                type="button"
                className={styles.fileButton}
                aria-current={path === open || undefined}
                onClick={() => onOpen(path)}
              >
                <Icon name="file" size={14} />
                <span>{path}</span>
                {count > 0 ? (
                  <small data-bad>{count === 1 ? "1 flaw" : `${count} flaws`}</small>
                ) : (
                  mark && <small>{mark}</small>
                )}
              </button>
              <button
                type="button"
                className={styles.fileButton}
                aria-label={`Delete ${path}`}
                title="Delete"
                onClick={() => onChange(path, null)}
              >
                <Icon name="trash" size={14} />
              </button>
            </li>
          );
        })}
        {gone.map((path) => (
          <li key={path}>
            <button type="button" className={styles.fileButton} onClick={() => onChange(path, wasSaved(path)!)}>
              <Icon name="file" size={14} />
              <s>{path}</s>
              <small>bring it back</small>
            </button>
          </li>
        ))}
      </ul>
      {added === undefined ? (
        <Button
          size="xs"
          variant="subtle"
          w="fit-content"
          leftSection={<Icon name="plus" size={14} />}
          onClick={() => setAdded("cubes/")}
        >
          New file
        </Button>
      ) : (
        <Form onSubmit={add}>
          <TextInput
            size="xs"
            aria-label="Path of the new file"
            placeholder="cubes/orders.yml"
            autoFocus
            value={added}
            error={added === "cubes/" ? undefined : flaw}
            onChange={setAdded}
            onKeyDown={(event) => event.key === "Escape" && setAdded(undefined)}
          />
        </Form>
      )}
    </nav>
  );
}
