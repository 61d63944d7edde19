// A new doc: a text that begins with one that runs on the sample.

import { Suspense } from "react";
import { Link, useLocation } from "wouter";
import { createDoc } from "../../api/docs.ts";
import { Button } from "../../ui/controls.ts";
import { useDraft } from "../../ui/editor/drafts.ts";
import { YamlEditor } from "../../ui/editor/lazy.ts";
import { ErrorNote, LoadingLines } from "../../ui/feedback/states.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { flawsOf } from "./queries.ts";
import { useFormAction } from "../../ui/feedback/use-action.ts";

const FIRST_TEXT = `version: 1
schemaVersion: "2025-01"
kind: pipeline
metadata:
  name: Orders a month
datasets:
  months:
    engine: sql
    sql: |
      SELECT date_trunc('month', ordered_at) AS month, count(*) AS orders
      FROM LAKE.sample.orders GROUP BY ALL ORDER BY month
`;

export function NewDoc() {
  const [, navigate] = useLocation();
  const [draft, setDraft] = useDraft("doc:new");
  const text = draft?.text ?? FIRST_TEXT;
  const create = useFormAction(() => createDoc(text), {
    renews: ["docs"],
    onDone: () => setDraft(undefined),
    onRenewed: ({ id }) => navigate(`/docs/${id}`),
  });
  return (
    <Page
      title="New doc"
      trail={<Link href="/docs">Docs</Link>}
      actions={
        <Button loading={create.isPending} onClick={() => create.mutate()}>
          Create
        </Button>
      }
    >
      {create.error && <ErrorNote error={create.error} />}
      <Suspense fallback={<LoadingLines />}>
        <YamlEditor
          label="The doc's text"
          value={text}
          flaws={flawsOf(create.error)}
          onChange={(next) => {
            create.reset();
            setDraft({ base: 0, text: next });
          }}
          onSave={() => create.mutate()}
        />
      </Suspense>
    </Page>
  );
}
