import type { EditorState } from "@codemirror/state";
import { statementAt, type Statement } from "./statements.ts";

/** What is selected, or else the statement at the cursor. */
export function chosenStatement(state: EditorState): Statement | undefined {
  const { from, to, head } = state.selection.main;
  const text = state.doc.toString();
  if (from === to) return statementAt(text, head);
  const selected = text.slice(from, to);
  return selected.trim() === "" ? undefined : { from, to, text: selected };
}
