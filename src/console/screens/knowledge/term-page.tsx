// One term of the glossary: what it means, what it is about, and its versions.

import { useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "wouter";
import { api, bodyOf, dataOf } from "../../api/client.ts";
import { useMay } from "../../api/me.ts";
import type { components } from "../../api/schema.d.ts";
import { Button, Modal, useDisclosure } from "../../ui/controls.ts";
import { State, Time } from "../../ui/data/values.tsx";
import type { Texts } from "../../ui/editor/text-changes.tsx";
import { VersionHistory } from "../../ui/editor/version-history.tsx";
import { Loaded } from "../../ui/feedback/states.tsx";
import { useAction } from "../../ui/feedback/use-action.ts";
import { ConfirmButton } from "../../ui/forms/confirm-button.tsx";
import { Page, Panel } from "../../ui/layout/page.tsx";
import { TermForm } from "./term-form.tsx";

type Term = components["schemas"]["GlossaryTerm"];

export function TermPage({ id }: { id: string }) {
  const query = useQuery({
    queryKey: ["glossary", id],
    queryFn: () => dataOf(api.GET("/v4/glossary/{term_id}", { params: { path: { term_id: id } } })),
  });
  return <Loaded query={query}>{(term) => <TermView key={term.version} term={term} />}</Loaded>;
}

function TermView({ term }: { term: Term }) {
  const [, navigate] = useLocation();
  const mayWrite = useMay("queries:manage");
  const [isChanging, changing] = useDisclosure(false);
  const path = { term_id: term.id };
  const remove = useAction(() => bodyOf(api.DELETE("/v4/glossary/{term_id}", { params: { path } })), {
    renews: ["glossary", "list"],
    onDone: () => navigate("/knowledge"),
  });
  return (
    <Page
      title={term.term}
      lead={term.synonyms.length > 0 && `Also: ${term.synonyms.join(", ")}`}
      trail={<Link href="/knowledge">Knowledge</Link>}
      actions={
        mayWrite && (
          <>
            <Button size="xs" onClick={changing.open}>
              Change …
            </Button>
            <ConfirmButton
              question="It is deleted for good, with its versions."
              verb="Delete it"
              isBusy={remove.isPending}
              onConfirm={() => remove.mutate()}
            >
              Delete
            </ConfirmButton>
          </>
        )
      }
    >
      <Panel title={`Version ${term.version}`}>
        <span>
          Changed <Time at={term.updated_at} />
        </span>
        <p>{term.definition}</p>
        {term.links.length > 0 && (
          <ul aria-label="Tables and members">
            {term.links.map(({ integration_id: id, name, missing }) => (
              <li key={`${id} ${name}`}>
                {name} {missing && <State tone="warn">gone</State>}
              </li>
            ))}
          </ul>
        )}
      </Panel>
      <TermVersions term={term} mayWrite={mayWrite} />
      <Modal opened={isChanging} onClose={changing.close} title="Change the term">
        {isChanging && <TermForm term={term} onSaved={changing.close} />}
      </Modal>
    </Page>
  );
}

function TermVersions({ term, mayWrite }: { term: Term; mayWrite: boolean }) {
  const path = { term_id: term.id };
  const fetchVersion = (version: number) =>
    dataOf(
      api.GET("/v4/glossary/{term_id}/versions/{version}", { params: { path: { ...path, version: String(version) } } }),
    );
  const restore = async (version: number) => {
    const { term: word, synonyms, definition, links } = await fetchVersion(version);
    const params = { path, header: { "If-Match": `"${term.version}"` } };
    // What is gone by now can't be linked anew.
    const live = links.filter(({ missing }) => !missing).map(({ integration_id, name }) => ({ integration_id, name }));
    const body = { term: word, synonyms, definition, links: live };
    return dataOf(api.PATCH("/v4/glossary/{term_id}", { params, body }));
  };
  return (
    <VersionHistory
      queryKey={["glossary", term.id]}
      newest={term.version}
      fetchPage={(offset) =>
        dataOf(api.GET("/v4/glossary/{term_id}/versions", { params: { path, query: { offset, limit: 20 } } }))
      }
      fetchTexts={async (version) => textsOf(await fetchVersion(version))}
      restore={mayWrite ? restore : undefined}
    />
  );
}

const textsOf = ({
  term,
  synonyms,
  definition,
  links,
}: Pick<Term, "term" | "synonyms" | "definition" | "links">): Texts => ({
  term,
  definition,
  ...(synonyms.length > 0 && { synonyms: synonyms.join("\n") }),
  ...(links.length > 0 && { links: links.map(({ name }) => name).join("\n") }),
});
