// Every code editor has this look, these keys, and marks at the flaws. A language is added by whoever makes one.

import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentOnInput } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { editorLook } from "./editor-theme.ts";
import { typedOver } from "./typed-over.ts";
import { wayOut } from "./way-out.ts";

/** A place of the text that is wrong. Lines and columns count from one. */
export type EditorFlaw = { line: number; column: number; message: string; severity: "error" | "warning" };

export type CodeEditorOptions = {
  parent: HTMLElement;
  text: string;
  /** What is edited, for screen readers. */
  label: string;
  /** The language, and what else this editor has. */
  extensions: Extension;
  isReadOnly: boolean;
  onChange(text: string): void;
  onSave(): void;
};

export function createCodeEditor(options: CodeEditorOptions): EditorView {
  const { parent, text, label, extensions, isReadOnly, onChange, onSave } = options;
  const save = () => {
    onSave();
    return true;
  };
  const saving = { key: "Mod-s", preventDefault: true, run: save };
  return new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
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
        EditorView.updateListener.of(({ docChanged, state }) => docChanged && onChange(state.doc.toString())),
        extensions,
      ],
    }),
  });
}

/** Puts another text in place of what is there, unless it is the same. */
export function replaceText(view: EditorView, text: string): void {
  const length = view.state.doc.length;
  if (view.state.doc.toString() !== text) view.dispatch({ changes: { from: 0, to: length, insert: text } });
}

/** Marks the flaws; a place that the text does not have is its nearest one. */
export function showFlaws(view: EditorView, flaws: readonly EditorFlaw[]): void {
  const diagnostics = flaws.map(({ message, severity, ...place }): Diagnostic => {
    const { from, end } = offsetsOf(view, place);
    return { from, to: Math.max(from, end), message, severity };
  });
  view.dispatch(setDiagnostics(view.state, diagnostics));
}

/** Puts the cursor to a place, and that into view. */
export function showPlace(view: EditorView, place: Pick<EditorFlaw, "line" | "column">): void {
  view.dispatch({ selection: { anchor: offsetsOf(view, place).from }, scrollIntoView: true });
  view.focus();
}

function offsetsOf({ state: { doc } }: EditorView, { line, column }: Pick<EditorFlaw, "line" | "column">) {
  const found = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return { from: Math.min(found.from + Math.max(column - 1, 0), found.to), end: found.to };
}
