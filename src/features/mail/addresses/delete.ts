import type { Needs } from "../../../clients/context.ts";
import { notFound } from "../../../core/problem.ts";
import { recordAudit } from "../../../platform/db/audit.ts";
import { deleteAddressRow, findAddress } from "../store.ts";
import { auditedAddress } from "./address.ts";

/** No mail of the team goes there any more, and the link of a question that waits works no more. */
export async function deleteMailAddress({ scope, db }: Needs<"scope" | "db">, id: string): Promise<void> {
  const row = await findAddress(db, scope.teamId, { id });
  if (!row) throw notFound("Mail address", id);
  await db.batch([
    deleteAddressRow(db, scope.teamId, id),
    recordAudit(db, scope, "mail_address.delete", { id, before: auditedAddress(row) }),
  ]);
}
