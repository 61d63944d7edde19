// The questions that a saved query answers, and who vouches for them: certified, agents are given them with the query.

import { api, dataOf } from "../../api/client.ts";
import { useMay, useMe } from "../../api/me.ts";
import type { components } from "../../api/schema.d.ts";
import { Button, Modal, Textarea, useDisclosure, useInputState } from "../../ui/controls.ts";
import { Time } from "../../ui/data/values.tsx";
import { useAction, useFormAction } from "../../ui/feedback/use-action.ts";
import { DialogForm } from "../../ui/forms/dialog-form.tsx";
import { Panel } from "../../ui/layout/page.tsx";

type SavedQuery = components["schemas"]["SavedQueryDetail"];

export function QueryQuestions({ query }: { query: SavedQuery }) {
  const { user } = useMe();
  const mayManage = useMay("queries:manage");
  const isOwn = useMay("queries:write") && query.owner_id === user.id;
  const [isChanging, changing] = useDisclosure(false);
  const isLive = query.archived_at === null;
  const certify = useAction(() => change(query, { certified: !query.certified }), { renews: ["queries"] });
  return (
    <Panel
      title="Questions that it answers"
      actions={
        isLive && (
          <>
            {(mayManage || isOwn) && (
              <Button size="xs" variant="default" onClick={changing.open}>
                Change the questions …
              </Button>
            )}
            {mayManage && (
              <Button size="xs" variant="default" loading={certify.isPending} onClick={() => certify.mutate()}>
                {query.certified ? "Take the mark away" : "Certify"}
              </Button>
            )}
          </>
        )
      }
    >
      {query.questions.length === 0 ? (
        <span>None but its name.</span>
      ) : (
        <ul aria-label="Questions">
          {query.questions.map((question) => (
            <li key={question}>{question}</li>
          ))}
        </ul>
      )}
      <span>
        {query.certified_at === null ? (
          "Nobody vouches for it: agents are not given it."
        ) : (
          <>
            Certified <Time at={query.certified_at} />: agents are given it with its questions.
          </>
        )}
      </span>
      <Modal opened={isChanging} onClose={changing.close} title="Questions that it answers">
        {isChanging && <QuestionsForm query={query} onSaved={changing.close} />}
      </Modal>
    </Panel>
  );
}

function QuestionsForm({ query, onSaved }: { query: SavedQuery; onSaved: () => void }) {
  const [text, setText] = useInputState(query.questions.join("\n"));
  const save = useFormAction(
    () => {
      const questions = text
        .split("\n")
        .map((line) => line.trim())
        .filter((line) => line !== "");
      return change(query, { questions });
    },
    { renews: ["queries"], onDone: onSaved },
  );
  return (
    <DialogForm work={save} verb="Save">
      <Textarea
        label="Questions"
        description={
          query.certified ? "One a line. Other questions lose the certified mark." : "One a line, as people ask them."
        }
        data-autofocus
        autosize
        minRows={4}
        maxRows={12}
        value={text}
        onChange={setText}
      />
    </DialogForm>
  );
}

/** A change is made to the version that is shown, and to no other. */
const change = ({ id, version }: SavedQuery, body: components["schemas"]["SavedQueryPatch"]) => {
  const params = { path: { query_id: id }, header: { "If-Match": `"${version}"` } };
  return dataOf(api.PATCH("/v4/queries/{query_id}", { params, body }));
};
