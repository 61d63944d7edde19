// A button for what cannot be undone: it asks once more, and says what will be gone.

import { Button, Group, Popover, Stack, Text, type ButtonProps } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { ReactNode } from "react";

type ConfirmButtonProps = ButtonProps & {
  children: ReactNode;
  /** What happens, in a sentence. */
  question: string;
  /** The verb of the button that does it. */
  verb: string;
  isBusy?: boolean;
  onConfirm: () => void;
};

export function ConfirmButton({ children, question, verb, isBusy = false, onConfirm, ...button }: ConfirmButtonProps) {
  const [isOpen, popover] = useDisclosure(false);
  return (
    <Popover opened={isOpen} onChange={(open) => !open && popover.close()} width={300} trapFocus returnFocus>
      <Popover.Target>
        <Button variant="default" size="xs" {...button} loading={isBusy} onClick={popover.toggle}>
          {children}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="sm">
          <Text size="sm">{question}</Text>
          <Group justify="end" gap="xs">
            <Button size="xs" variant="default" onClick={popover.close}>
              Keep it
            </Button>
            <Button
              size="xs"
              color="red"
              onClick={() => {
                popover.close();
                onConfirm();
              }}
            >
              {verb}
            </Button>
          </Group>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
