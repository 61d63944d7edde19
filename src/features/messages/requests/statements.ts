// Statements for the batch by which a request's message is accepted.

import type { Db } from "../../../platform/db/client.ts";
import type { Message } from "../message.ts";
import type { NamedRequest } from "./request.ts";
import { insertRequest } from "./store.ts";

export { isFirst } from "./store.ts";

/** They stand behind the one that writes the message, under {@link isFirst}. None for a request without a name. */
export const requestStatements = (
  db: Db,
  request: NamedRequest | undefined,
  { message, answer }: { message: Message; answer: object | null },
) => (request ? [insertRequest(db, request, { message, answer: answer && JSON.stringify(answer) })] : []);
