// A dialog's form: its fields, what the platform found wrong, and the one button that sends it. Enter sends it, too.

import { Button, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { ErrorNote } from "../feedback/states.tsx";
import { Form } from "./form.tsx";

type DialogFormProps = {
  /** A mutation that takes no values: it reads the fields itself. */
  work: { mutate(): void; isPending: boolean; error: Error | null };
  /** The button's verb. */
  verb: string;
  /** Whether something is missing without which it cannot be sent. */
  isIncomplete?: boolean;
  children: ReactNode;
};

export function DialogForm({ work, verb, isIncomplete = false, children }: DialogFormProps) {
  return (
    <Form onSubmit={() => work.mutate()}>
      <Stack gap="sm">
        {children}
        {work.error && <ErrorNote error={work.error} />}
        <Button type="submit" loading={work.isPending} disabled={isIncomplete}>
          {verb}
        </Button>
      </Stack>
    </Form>
  );
}
