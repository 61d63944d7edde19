// Two versions of a text as one, with what went and what came; lines that are alike fold.

import { sql } from "@codemirror/lang-sql";
import { yaml } from "@codemirror/lang-yaml";
import { unifiedMergeView } from "@codemirror/merge";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { editorLook } from "./editor-theme.ts";
import styles from "./editor.module.css";

export type TextLanguage = "yaml" | "sql";

const LANGUAGES: Record<TextLanguage, () => Extension> = { yaml, sql };

type DiffViewProps = { label: string; before: string; after: string; language: TextLanguage };

export default function DiffView({ label, before, after, language }: DiffViewProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const view = new EditorView({
      parent: place.current!,
      state: EditorState.create({
        doc: after,
        extensions: [
          editorLook(label),
          lineNumbers(),
          LANGUAGES[language](),
          EditorState.readOnly.of(true),
          unifiedMergeView({ original: before, mergeControls: false, collapseUnchanged: { margin: 3, minSize: 4 } }),
        ],
      }),
    });
    return () => view.destroy();
  }, [label, before, after, language]);
  return <div ref={place} className={styles.diff} />;
}
