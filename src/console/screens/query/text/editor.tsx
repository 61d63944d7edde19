// The editor of a tab: SQL of the chosen source, completion, the keys that run and cancel, and the place of a failure
// with its repair.

import { closeCompletion } from "@codemirror/autocomplete";
import { lintGutter, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { Prec } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { useEffect, useMemo, useRef, useState } from "react";
import { CodeEditor } from "../../../ui/editor/code-editor.tsx";
import type { Run } from "../run/run.ts";
import { useTables, useWithColumns, type DataSource } from "../schema/schema.ts";
import type { Tab } from "../tabs/tab.ts";
import { placeOf, repairsOf } from "./failure-place.ts";
import { mentioned, sqlLanguage, type CompletedTable } from "./sql-language.ts";

/** Tables of a text whose columns are read for completion. */
const MENTIONED_MAX = 8;

type EditorProps = {
  tab: Tab;
  source: DataSource;
  run: Run | undefined;
  onText: (text: string) => void;
  onRun: () => void;
  onCancel: () => boolean;
  /** Called when the text changes, or what is selected. */
  onMove: (view: EditorView) => void;
  onView: (view: EditorView | undefined) => void;
};

export function Editor({ tab, source, run, onText, onRun, onCancel, onMove, onView }: EditorProps) {
  const [view, setView] = useState<EditorView>();
  const latest = useRef({ onRun, onCancel, onMove });
  latest.current = { onRun, onCancel, onMove };
  const tables = useTables(source);
  const named = useMemo(() => mentioned(tables.data ?? [], tab.text).slice(0, MENTIONED_MAX), [tables.data, tab.text]);
  const withColumns = useWithColumns(source, named);
  const completed = useRef<readonly CompletedTable[]>([]);
  completed.current = useMemo(() => {
    const known = new Map(withColumns.map((table) => [`${table.schema}.${table.name}`, table.columns]));
    return (tables.data ?? []).map(({ schema, name }) => ({
      schema,
      name,
      columns: known.get(`${schema}.${name}`) ?? [],
    }));
  }, [tables.data, withColumns]);
  const { kind, catalog } = source;
  const extensions = useMemo(
    () => [
      Prec.highest(
        keymap.of([
          {
            key: "Mod-Enter",
            run: (view) => {
              closeCompletion(view);
              latest.current.onRun();
              return true;
            },
            preventDefault: true,
          },
          { key: "Escape", run: () => latest.current.onCancel() },
        ]),
      ),
      EditorView.updateListener.of(({ view, docChanged, selectionSet }) => {
        if (docChanged || selectionSet) latest.current.onMove(view);
      }),
      lintGutter(),
      sqlLanguage({ kind, catalog, tables: () => completed.current }),
    ],
    [kind, catalog],
  );
  useEffect(() => {
    if (view) view.dispatch(setDiagnostics(view.state, diagnosticsOf(run, view.state.doc.toString())));
  }, [view, run]);
  return (
    <CodeEditor
      documentKey={tab.id}
      text={tab.text}
      onChange={onText}
      extensions={extensions}
      label="SQL"
      onView={(made) => {
        setView(made);
        onView(made);
      }}
    />
  );
}

function diagnosticsOf(run: Run | undefined, text: string): Diagnostic[] {
  if (run?.state !== "failed" || !run.problem) return [];
  const place = placeOf(run, text);
  if (!place) return [];
  const actions = repairsOf(run.problem.message, text.slice(place.from, place.to)).map(({ title, text: repaired }) => ({
    name: title,
    apply: (view: EditorView, from: number, to: number) => {
      view.dispatch({ changes: { from, to, insert: repaired }, selection: { anchor: from + repaired.length } });
      view.focus();
    },
  }));
  return [{ ...place, severity: "error", message: run.problem.message, actions }];
}
