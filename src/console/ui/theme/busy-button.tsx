// A button that is at work takes no second press and keeps the focus, which a browser takes from one that is disabled.

import type { ComponentProps, MouseEvent } from "react";

/** What Mantine's buttons hand to their element. One that is at work comes disabled, too. */
type Props = ComponentProps<"button"> & { "data-loading"?: boolean; "data-disabled"?: boolean };

export function BusyButton({ type = "button", disabled, onClick, ...more }: Props) {
  const isBusy = more["data-loading"] === true && more["data-disabled"] !== true;
  return (
    <button
      {...more}
      type={type}
      disabled={isBusy ? false : disabled}
      {...(isBusy && { "aria-busy": true, "aria-disabled": true })}
      onClick={isBusy ? refusePress : onClick}
    />
  );
}

/** Enter in a form's field presses its button, and so sends nothing either. */
const refusePress = (event: MouseEvent): void => event.preventDefault();
