// A comment of a table or a column, changed where it stands: Enter stores it, Escape leaves it as it was.

import { quoteText } from "../../../api/sql-text.ts";
import { runStatement } from "../../../api/statement.ts";
import { TextInput, useInputState } from "../../../ui/controls.ts";
import type { TablePlace } from "../queries.ts";
import styles from "../catalog.module.css";
import { useAction } from "../../../ui/feedback/use-action.ts";

type EditableCommentProps = {
  place: TablePlace;
  /** What the comment is on, as SQL names it: `TABLE …`, `COLUMN …`. */
  target: string;
  comment: string | null;
  label: string;
  mayWrite: boolean;
};

export function EditableComment({ place, target, comment, label, mayWrite }: EditableCommentProps) {
  const [draft, setDraft] = useInputState<string | undefined>(undefined);
  const save = useAction(
    (text: string) =>
      runStatement({
        sql: `COMMENT ON ${target} IS ${text === "" ? "NULL" : quoteText(text)}`,
        integrationId: place.integrationId,
      }),
    { renews: ["catalog", place.integrationId], onRenewed: () => setDraft(undefined) },
  );
  if (!mayWrite) return comment === null ? null : <span>{comment}</span>;
  if (draft === undefined)
    return (
      <button
        type="button"
        className={styles.comment}
        data-empty={comment === null || undefined}
        aria-label={`${comment ?? "Add a comment"}: ${label}`}
        onClick={() => setDraft(comment ?? "")}
      >
        {comment ?? "Add a comment"}
      </button>
    );
  const store = () => {
    if (save.isPending) return;
    if (draft.trim() === (comment ?? "")) setDraft(undefined);
    else save.mutate(draft.trim());
  };
  return (
    <TextInput
      size="xs"
      aria-label={label}
      autoFocus
      disabled={save.isPending}
      value={draft}
      onChange={setDraft}
      onBlur={store}
      onKeyDown={(event) => {
        if (event.key === "Enter") store();
        if (event.key === "Escape") setDraft(undefined);
      }}
    />
  );
}
