// Every code editor has this look, these keys, and marks at the flaws. A language is added by whoever makes one.

import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import {
  bracketMatching,
  defaultHighlightStyle,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { pageNonce } from "../theme/provider.tsx";

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

/** Tab indents; Escape and then Tab leaves the editor. */
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
        lineNumbers(),
        history(),
        drawSelection(),
        highlightActiveLine(),
        indentOnInput(),
        bracketMatching(),
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
  const { doc } = view.state;
  const diagnostics = flaws.map(({ line, column, message, severity }): Diagnostic => {
    const found = doc.line(Math.min(Math.max(line, 1), doc.lines));
    const from = Math.min(found.from + Math.max(column - 1, 0), found.to);
    return { from, to: Math.max(from, found.to), message, severity };
  });
  view.dispatch(setDiagnostics(view.state, diagnostics));
}

/** Colours of the library's own style, each as one of the theme's. */
const COLORS: Readonly<Record<string, string>> = {
  "#940": "var(--text-dim)",
  "#a11": "var(--good)",
  "#e40": "var(--good)",
  "#164": "var(--warn)",
  "#219": "var(--warn)",
  "#708": "var(--busy)",
  "#00c": "var(--busy)",
  "#00f": "var(--busy)",
};
const highlight = HighlightStyle.define(
  defaultHighlightStyle.specs.map(({ tag, color, ...style }) => ({
    tag,
    ...(color ? { color: COLORS[color] ?? "var(--text)" } : style),
  })),
);

/** The look of editors and of differences between texts. */
export const editorLook = (label: string): Extension => [
  EditorView.cspNonce.of(pageNonce()),
  EditorView.contentAttributes.of({ "aria-label": label }),
  EditorView.lineWrapping,
  syntaxHighlighting(highlight),
  look,
];

const look = EditorView.theme({
  "&": { fontSize: "12.5px", backgroundColor: "var(--surface)", color: "var(--text)", height: "100%" },
  "&.cm-focused": { outline: "2px solid var(--mantine-primary-color-filled)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "var(--mantine-font-family-monospace)", lineHeight: "1.6" },
  ".cm-content": { caretColor: "var(--text)", padding: "8px 0" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { backgroundColor: "var(--surface-sunken)", color: "var(--text-dim)", border: "0" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--busy-soft) 45%, transparent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--busy-soft)",
  },
  ".cm-tooltip": { backgroundColor: "var(--surface)", border: "1px solid var(--line)", color: "var(--text)" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--bad)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--warn)" },
  ".cm-changedLine": { backgroundColor: "var(--good-soft) !important" },
  ".cm-deletedChunk": { backgroundColor: "var(--bad-soft) !important" },
  ".cm-collapsedLines": { background: "var(--surface-sunken)", color: "var(--text-dim)" },
});
