// One fact of a sync or a run, in a list of them.

import type { ReactNode } from "react";

export const Fact = ({ title, children }: { title: string; children: ReactNode }) => (
  <div>
    <dt>{title}</dt>
    <dd>{children}</dd>
  </div>
);
