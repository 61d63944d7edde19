// The end of a result: it goes before its day is over, where whoever asked for it has it.

import type { Needs } from "../../../clients/context.ts";
import { resultKey, type AsyncQuery } from "./async-query.ts";
import { deleteEnded, findQuery } from "./store.ts";

type Deps = Needs<"db" | "bucket">;

/** Removes the result with its query. */
export async function forgetQuery({ db, bucket }: Deps, query: AsyncQuery): Promise<void> {
  await bucket.delete([resultKey(query)]);
  await deleteEnded(db, query);
}

/** {@link forgetQuery} of one that has ended; any other stays as it is. */
export async function forgetQueryOf(deps: Deps, { teamId, id }: { teamId: string; id: string }): Promise<void> {
  const query = await findQuery(deps.db, teamId, id);
  if (query && query.endedAt !== null) await forgetQuery(deps, query);
}
