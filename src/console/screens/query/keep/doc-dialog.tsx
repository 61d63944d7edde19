// Puts a tab's statement into a doc, as a dataset: a dashboard draws it, any other doc runs it by a schedule.

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { resultTableOf } from "../../../ui/grid/arrow-result.ts";
import { api, dataOf } from "../../../api/client.ts";
import { createDoc, fetchDoc, saveDocText } from "../../../api/docs.ts";
import { Choice, TextInput, useInputState } from "../../../ui/controls.ts";
import { showToast } from "../../../ui/feedback/toasts.tsx";
import { DialogForm } from "../../../ui/forms/dialog-form.tsx";
import { CHART_TYPES, likelyChart, vizOf, type ChartType } from "../../../ui/charts/likely-chart.ts";
import { useRun } from "../run/run-store.ts";
import { titleOf, type Tab } from "../tabs/tab.ts";
import { apiParameters } from "../text/parameters.ts";
import { parameterNames } from "../text/statements.ts";
import { emptyDocText, textWithDataset, type DocKind, type NewDataset } from "./doc-text.ts";
import { useFormAction } from "../../../ui/feedback/use-action.ts";

const NEW = "new";
const DOCS_SHOWN = 100;
const WORDS = {
  dashboard: { title: "Put on a dashboard", another: "A new dashboard", path: "/dashboards" },
  pipeline: { title: "Make it a dataset", another: "A new doc", path: "/docs" },
} as const satisfies Record<DocKind, object>;

export const docDialogTitle = (kind: DocKind): string => WORDS[kind].title;

type Drawing = "table" | ChartType;

export function DocDialog({ tab, kind, onClose }: { tab: Tab; kind: DocKind; onClose: () => void }) {
  const [, navigate] = useLocation();
  const run = useRun(tab.id);
  const [docId, setDocId] = useState<string>(NEW);
  const [docName, setDocName] = useInputState("");
  const [title, setTitle] = useInputState(titleOf(tab));
  const source = run?.state === "done" ? run.source : undefined;
  const likely = source && likelyChart(resultTableOf(source).columns);
  const [drawing, setDrawing] = useState<Drawing>(likely?.type ?? "table");
  const docs = useQuery({
    queryKey: ["docs", "of-kind", kind],
    queryFn: () => dataOf(api.GET("/v4/docs", { params: { query: { kind, limit: DOCS_SHOWN } } })),
  });
  const put = useFormAction(
    async () => {
      const made = newDataset(tab, title.trim());
      if (likely && drawing !== "table") made.viz = vizOf({ ...likely, type: drawing });
      if (docId === NEW) return (await createDoc(textWithDataset(emptyDocText(kind, docName.trim()), made))).id;
      const doc = await fetchDoc(docId);
      await saveDocText(doc, textWithDataset(doc.text, made), doc.version);
      return docId;
    },
    {
      renews: ["docs"],
      onRenewed: (id) => {
        onClose();
        showToast(`${title.trim()} is a dataset here.`);
        navigate(`${WORDS[kind].path}/${id}`);
      },
    },
  );
  const choices = (docs.data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <DialogForm work={put} verb={kind === "dashboard" ? "Put it there" : "Make the dataset"}>
      <Choice
        label={kind === "dashboard" ? "Dashboard" : "Doc"}
        searchable
        data={[{ value: NEW, label: WORDS[kind].another }, ...choices]}
        value={docId}
        error={docs.error?.message}
        onChange={setDocId}
      />
      {docId === NEW && <TextInput label="Its name" required value={docName} onChange={setDocName} />}
      <TextInput label="Title" required value={title} onChange={setTitle} />
      {kind === "dashboard" && (
        <Choice
          label="Drawn as"
          description={likely ? undefined : "A chart can be chosen once the statement has run and brought numbers."}
          data={["table", ...(likely ? CHART_TYPES : [])]}
          value={drawing}
          onChange={setDrawing}
        />
      )}
    </DialogForm>
  );
}

function newDataset(tab: Tab, title: string): NewDataset {
  const parameters = apiParameters(parameterNames(tab.text), tab.values);
  const sql = tab.text.trim().replace(/;$/, "");
  return {
    title,
    dataset: {
      engine: "sql",
      sql,
      ...(tab.integrationId !== null && { integrationId: tab.integrationId }),
      ...(parameters && { parameters }),
    },
  };
}
