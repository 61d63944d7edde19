// A term's form: its word, synonyms and definition, and the tables and members that it is about.

import { useState } from "react";
import { api, dataOf } from "../../api/client.ts";
import type { components } from "../../api/schema.d.ts";
import { TagsInput, Textarea, TextInput, useInputState } from "../../ui/controls.ts";
import { DialogForm } from "../../ui/forms/dialog-form.tsx";
import { LinkField, type Link } from "./link-field.tsx";
import { useFormAction } from "../../ui/feedback/use-action.ts";

type Term = components["schemas"]["GlossaryTerm"];

/** `term`: the one that is changed; a new one without. What others changed since it was read is not overwritten. */
export function TermForm({ term, onSaved }: { term?: Term; onSaved: (saved: Term) => void }) {
  const [word, setWord] = useInputState(term?.term ?? "");
  const [synonyms, setSynonyms] = useState(term?.synonyms ?? []);
  const [definition, setDefinition] = useInputState(term?.definition ?? "");
  const [links, setLinks] = useState<Link[]>(
    term?.links.map(({ integration_id, name }) => ({ integration_id, name })) ?? [],
  );
  const save = useFormAction(
    () => {
      const body = { term: word.trim(), synonyms, definition: definition.trim(), links };
      if (!term) return dataOf(api.POST("/v4/glossary", { body }));
      const params = { path: { term_id: term.id }, header: { "If-Match": `"${term.version}"` } };
      return dataOf(api.PATCH("/v4/glossary/{term_id}", { params, body }));
    },
    { renews: ["glossary"], onDone: onSaved },
  );
  return (
    <DialogForm work={save} verb="Save" isIncomplete={word.trim() === "" || definition.trim() === ""}>
      <TextInput label="Term" required data-autofocus value={word} onChange={setWord} />
      <Textarea
        label="Definition"
        required
        autosize
        minRows={3}
        maxRows={12}
        value={definition}
        onChange={setDefinition}
      />
      <TagsInput label="Synonyms" value={synonyms} onChange={setSynonyms} />
      <LinkField links={links} onChange={setLinks} />
    </DialogForm>
  );
}
