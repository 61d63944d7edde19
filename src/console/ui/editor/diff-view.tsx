// Two versions of a text as one, with what went and what came; lines that are alike fold.

import { yaml } from "@codemirror/lang-yaml";
import { unifiedMergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { editorLook } from "./editor-theme.ts";
import styles from "./editor.module.css";

type DiffViewProps = { label: string; before: string; after: string };

export default function DiffView({ label, before, after }: DiffViewProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const view = new EditorView({
      parent: place.current!,
      state: EditorState.create({
        doc: after,
        extensions: [
          editorLook(label),
          lineNumbers(),
          yaml(),
          EditorState.readOnly.of(true),
          unifiedMergeView({ original: before, mergeControls: false, collapseUnchanged: { margin: 3, minSize: 4 } }),
        ],
      }),
    });
    return () => view.destroy();
  }, [label, before, after]);
  return <div ref={place} className={styles.diff} />;
}
