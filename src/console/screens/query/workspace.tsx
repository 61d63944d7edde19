// One tab at work: tree, editor and result, and the keys that run and cancel.

import { useCallback, useRef, useState } from "react";
import type { EditorView } from "@codemirror/view";
import { Button, UnstyledButton, useHotkeys } from "../../ui/controls.ts";
import { Icon } from "../../ui/icons.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { useEscape } from "../../ui/use-escape.ts";
import { HistoryDrawer } from "./keep/history-drawer.tsx";
import { QueryMenu } from "./keep/query-menu.tsx";
import { ResultPane } from "./results/result-pane.tsx";
import { ReadEstimateLine } from "./run/read-estimate-line.tsx";
import { RunButton } from "./run/run-button.tsx";
import { cancelRun, runOf, startRun, useRun } from "./run/run-store.ts";
import { useRestedStatement } from "./run/use-rested-statement.ts";
import { SchemaTree } from "./schema/schema-tree.tsx";
import { sourceOf, useSources } from "./schema/use-sources.ts";
import { ParameterBar } from "./tabs/parameter-bar.tsx";
import { SourceSelect } from "./tabs/source-select.tsx";
import { TabBar } from "./tabs/tab-bar.tsx";
import type { Tab } from "./tabs/tab.ts";
import type { TabStore } from "./tabs/tab-store.ts";
import { chosenStatement } from "./text/chosen-statement.ts";
import { Editor } from "./text/editor.tsx";
import { statementAt } from "./text/statements.ts";
import { useSplit } from "./use-split.ts";
import styles from "./workspace.module.css";

type WorkspaceProps = { owner: string; store: TabStore; tab: Tab };

export function Workspace({ owner, store, tab }: WorkspaceProps) {
  const sources = useSources();
  const source = sourceOf(sources, tab.integrationId);
  const run = useRun(tab.id);
  const view = useRef<EditorView>(undefined);
  const [isTreeOpen, setTreeOpen] = useState(() => innerWidth > 900);
  const [isHistoryOpen, setHistoryOpen] = useState(false);
  const split = useSplit();
  const rested = useRestedStatement();

  const runStatement = useCallback(() => {
    const editor = view.current;
    const asked = editor ? chosenStatement(editor.state) : statementAt(tab.text, tab.text.length);
    if (!asked) return;
    const { integrationId, values } = tab;
    startRun({ tabId: tab.id, question: { sql: asked.text, integrationId, values }, offset: asked.from });
  }, [tab]);
  const cancel = useCallback(() => {
    const running = runOf(tab.id);
    if (running?.state !== "running") return false;
    cancelRun(running.id);
    return true;
  }, [tab.id]);
  useHotkeys([["mod+Enter", runStatement]]);
  useEscape(cancel);

  const insert = (text: string) => {
    const editor = view.current;
    if (!editor) return;
    editor.dispatch(editor.state.replaceSelection(text));
    editor.focus();
  };
  return (
    <Page
      title="Query"
      isFull
      actions={
        <>
          <Button
            variant="default"
            size="xs"
            leftSection={<Icon name="history" size={15} />}
            onClick={() => setHistoryOpen(true)}
          >
            History
          </Button>
          <QueryMenu store={store} tab={tab} />
        </>
      }
    >
      <div className={styles.workspace} data-tree={isTreeOpen || undefined}>
        {isTreeOpen && (
          <aside className={styles.side}>
            <SchemaTree key={source.integrationId} source={source} onInsert={insert} />
          </aside>
        )}
        <div className={styles.main}>
          <TabBar store={store} current={tab.id} />
          <div className={styles.bar}>
            <UnstyledButton
              className={styles.treeButton}
              aria-label={isTreeOpen ? "Hide the tables" : "Show the tables"}
              aria-expanded={isTreeOpen}
              onClick={() => setTreeOpen(!isTreeOpen)}
            >
              <Icon name="catalog" size={17} />
            </UnstyledButton>
            <RunButton run={run} onRun={runStatement} onCancel={cancel} />
            <SourceSelect
              sources={sources}
              value={tab.integrationId}
              onChange={(integrationId) => store.change(tab.id, { integrationId })}
            />
            <ParameterBar text={tab.text} values={tab.values} onChange={(values) => store.change(tab.id, { values })} />
            {source.kind === "lake" && <ReadEstimateLine sql={rested.sql} values={tab.values} />}
            {store.isUnkept && (
              <span className={styles.unkept} role="alert">
                The browser's storage is full: this draft is not kept.
              </span>
            )}
          </div>
          <div className={styles.editor} style={{ flexBasis: split.height }}>
            <Editor
              tab={tab}
              source={source}
              run={run}
              onText={(text) => store.change(tab.id, { text })}
              onRun={runStatement}
              onCancel={cancel}
              onMove={rested.onMove}
              onView={(made) => {
                view.current = made;
                if (made) rested.onMove(made);
              }}
            />
          </div>
          <div className={styles.splitter} {...split.handle} />
          <ResultPane
            key={tab.id}
            tab={tab}
            run={run}
            source={run ? sourceOf(sources, run.question.integrationId) : source}
            tabs={store.open}
            owner={owner}
            onChange={(change) => store.change(tab.id, change)}
          />
        </div>
      </div>
      <HistoryDrawer
        owner={owner}
        store={store}
        sources={sources}
        isOpen={isHistoryOpen}
        onClose={() => setHistoryOpen(false)}
      />
    </Page>
  );
}
