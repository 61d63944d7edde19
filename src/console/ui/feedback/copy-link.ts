// Copies a link to what somebody looks at, and tells what becomes of whoever opens it.

import { showToast } from "./toasts.tsx";

/** `does` says what whoever opens it does or gets. */
export const copyLink = (url: string, does: string): Promise<void> =>
  navigator.clipboard.writeText(url).then(
    () => showToast(`The link is copied. Whoever opens it ${does}, under their own rights.`),
    () =>
      showToast(
        `The browser does not let the link be copied.${url === location.href ? " The address is the link." : ""}`,
        "bad",
      ),
  );
