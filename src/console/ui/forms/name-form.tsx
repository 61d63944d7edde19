// A form of one name and its button, below the list that it adds to. What was typed goes once it is added.

import { Button, Group, TextInput } from "@mantine/core";
import { useInputState } from "@mantine/hooks";
import type { QueryKey } from "@tanstack/react-query";
import { ErrorNote } from "../feedback/states.tsx";
import { useFormAction } from "../feedback/use-action.ts";
import { Form } from "./form.tsx";

type NameFormProps = {
  label: string;
  placeholder?: string;
  /** The button's verb. */
  verb: string;
  add: (name: string) => Promise<unknown>;
  /** The cache's name of the list. */
  renews: QueryKey;
};

export function NameForm({ label, placeholder, verb, add, renews }: NameFormProps) {
  const [name, setName] = useInputState("");
  const adding = useFormAction(() => add(name.trim()), { renews, onDone: () => setName("") });
  return (
    <Form onSubmit={() => adding.mutate()}>
      <Group align="end" gap="xs">
        <TextInput label={label} {...(placeholder !== undefined && { placeholder })} value={name} onChange={setName} />
        <Button type="submit" variant="default" loading={adding.isPending} disabled={name.trim() === ""}>
          {verb}
        </Button>
      </Group>
      {adding.error && <ErrorNote error={adding.error} />}
    </Form>
  );
}
