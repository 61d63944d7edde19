// A text that opens what more there is to say. Escape closes it from the button, too: the focus goes into what has
// opened a moment later, and a key that came before would be lost.

import type { ComponentProps, KeyboardEvent, ReactNode } from "react";
import { Popover, UnstyledButton, useDisclosure } from "../controls.ts";

type DetailsButtonProps = ComponentProps<"button"> & { details: ReactNode; width: number };

export function DetailsButton({ details, width, ...button }: DetailsButtonProps) {
  const [isOpen, popover] = useDisclosure();
  const closeByEscape = (event: KeyboardEvent) => {
    if (!isOpen || event.key !== "Escape") return;
    event.preventDefault();
    popover.close();
  };
  return (
    <Popover
      opened={isOpen}
      onChange={(open) => !open && popover.close()}
      position="bottom-start"
      width={width}
      withinPortal
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <UnstyledButton {...button} onClick={popover.toggle} onKeyDown={closeByEscape} />
      </Popover.Target>
      <Popover.Dropdown>{details}</Popover.Dropdown>
    </Popover>
  );
}
