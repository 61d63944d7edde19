// An editor of YAML. It tells flaws of the syntax as one types, and shows those that others have found.

import { yaml } from "@codemirror/lang-yaml";
import type { EditorView } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { LineCounter, parseDocument } from "yaml";
import { createCodeEditor, replaceText, showFlaws, showPlace, type EditorFlaw } from "./editor-view.ts";
import styles from "./editor.module.css";

type YamlEditorProps = {
  label: string;
  value: string;
  onChange(text: string): void;
  onSave?: () => void;
  /** What the platform found wrong with the text as it is. */
  flaws?: readonly EditorFlaw[];
  isReadOnly?: boolean;
  /** Where the cursor goes, each time that another place is given. Lines and columns count from one. */
  place?: { line: number; column: number } | undefined;
};

const NO_FLAWS: readonly EditorFlaw[] = [];
const QUIET_MS = 250;

export default function YamlEditor(props: YamlEditorProps) {
  const { label, value, flaws = NO_FLAWS, isReadOnly = false, place: wanted } = props;
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const latest = useRef(props);
  latest.current = props;
  // The editor lives as long as its place; what it is told later goes through `latest`.
  useEffect(() => {
    const made = createCodeEditor({
      parent: place.current!,
      text: latest.current.value,
      label,
      extensions: yaml(),
      isReadOnly,
      onChange: (text) => latest.current.onChange(text),
      onSave: () => latest.current.onSave?.(),
    });
    view.current = made;
    return () => made.destroy();
  }, [label, isReadOnly]);
  useEffect(() => replaceText(view.current!, value), [value]);
  useEffect(() => {
    const timer = setTimeout(() => showFlaws(view.current!, [...flaws, ...syntaxFlaws(value)]), QUIET_MS);
    return () => clearTimeout(timer);
  }, [value, flaws]);
  useEffect(() => {
    if (wanted) showPlace(view.current!, wanted);
  }, [wanted]);
  return <div ref={place} className={styles.editor} />;
}

function syntaxFlaws(text: string): EditorFlaw[] {
  const lines = new LineCounter();
  const { errors } = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  return errors.map(({ message, pos: [from] }) => {
    const { line, col } = lines.linePos(from);
    return { line, column: col, message, severity: "error" };
  });
}
