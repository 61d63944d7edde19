// An editor of YAML. It tells flaws of the syntax as one types, and shows those that others have found.

import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, indentOnInput } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { LineCounter, parseDocument } from "yaml";
import { editorLook } from "./editor-theme.ts";
import { typedOver } from "./typed-over.ts";
import { wayOut } from "./way-out.ts";
import styles from "./editor.module.css";

/** A place of the text that is wrong. Lines and columns count from one. */
export type EditorFlaw = { line: number; column: number; message: string; severity: "error" | "warning" };

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
    const save = () => {
      latest.current.onSave?.();
      return true;
    };
    const saving = { key: "Mod-s", preventDefault: true, run: save };
    const made = new EditorView({
      parent: place.current!,
      state: EditorState.create({
        doc: latest.current.value,
        extensions: [
          editorLook(label),
          isReadOnly ? [] : wayOut,
          lineNumbers(),
          history(),
          drawSelection(),
          highlightActiveLine(),
          indentOnInput(),
          bracketMatching(),
          typedOver,
          lintGutter(),
          keymap.of([saving, ...defaultKeymap, ...historyKeymap, ...lintKeymap, indentWithTab]),
          EditorState.readOnly.of(isReadOnly),
          EditorView.updateListener.of(
            ({ docChanged, state }) => docChanged && latest.current.onChange(state.doc.toString()),
          ),
          yaml(),
        ],
      }),
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

/** Puts another text in place of what is there, unless it is the same. */
function replaceText(view: EditorView, text: string): void {
  const length = view.state.doc.length;
  if (view.state.doc.toString() !== text) view.dispatch({ changes: { from: 0, to: length, insert: text } });
}

/** Marks the flaws; a place that the text does not have is its nearest one. */
function showFlaws(view: EditorView, flaws: readonly EditorFlaw[]): void {
  const diagnostics = flaws.map(({ message, severity, ...place }): Diagnostic => {
    const { from, end } = offsetsOf(view, place);
    return { from, to: Math.max(from, end), message, severity };
  });
  view.dispatch(setDiagnostics(view.state, diagnostics));
}

/** Puts the cursor to a place, and that into view. */
function showPlace(view: EditorView, place: Pick<EditorFlaw, "line" | "column">): void {
  view.dispatch({ selection: { anchor: offsetsOf(view, place).from }, scrollIntoView: true });
  view.focus();
}

function offsetsOf({ state: { doc } }: EditorView, { line, column }: Pick<EditorFlaw, "line" | "column">) {
  const found = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return { from: Math.min(found.from + Math.max(column - 1, 0), found.to), end: found.to };
}
