// Channel → how its messages leave. Features that stand above messages bring theirs here.

import { EMAIL_TRANSPORT } from "./features/messages/email/transport.ts";
import type { Transport, Transports } from "./features/messages/transport.ts";

/** A channel without a way out. */
const notSetUp = (isRepeatable: boolean): Transport => ({
  isRepeatable,
  send: async () => ({ kind: "refused", error: "This channel is not set up." }),
});

export const TRANSPORTS: Transports = {
  email: EMAIL_TRANSPORT,
  slack: notSetUp(false),
  teams: notSetUp(false),
  webhook: notSetUp(true),
};
