// A form whose button and whose Enter key do the same work.

import type { ReactNode } from "react";

export const Form = ({ onSubmit, children }: { onSubmit: () => void; children: ReactNode }) => (
  <form
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit();
    }}
  >
    {children}
  </form>
);
