// The statement that a run would take, once the text and the cursor have rested for a moment.

import type { EditorView } from "@codemirror/view";
import { useCallback, useEffect, useRef, useState } from "react";
import { chosenStatement } from "../text/chosen-statement.ts";

/** After so long without a change nobody is typing. */
export const REST_MS = 600;

/** `onMove` is to be called with each change of the text, and of what is selected; nothing rests then. */
export function useRestedStatement(): { sql: string | undefined; onMove: (view: EditorView) => void } {
  const [sql, setSql] = useState<string>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const onMove = useCallback((view: EditorView) => {
    clearTimeout(timer.current);
    setSql(undefined);
    timer.current = setTimeout(() => setSql(chosenStatement(view.state)?.text), REST_MS);
  }, []);
  return { sql, onMove };
}
