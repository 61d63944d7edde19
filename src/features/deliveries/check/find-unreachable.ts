// The recipients of a delivery to whom nothing can be sent.

import { type Flaw, invalidAt, isProblem, missingAt } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import type { DeliveryChannel } from "../../../core/messages.ts";
import { requireDestination } from "../../destinations/find.ts";
import { getIntegration } from "../../integrations/get.ts";
import { findRecipients, RECIPIENT_REFUSALS, type RecipientState } from "../../mail/recipients.ts";
import type { Recipient } from "../recipients.ts";

type Deps = Needs<"scope" | "db"> & { mailable: Map<string, RecipientState> };
type On<Name extends DeliveryChannel> = Extract<Recipient, { channel: Name }>;

/** Throws the Problem that keeps one recipient from being sent something; `at` is its pointer. */
type Check<Name extends DeliveryChannel> = (ctx: Deps, recipient: On<Name>, at: string) => Promise<void>;

const requireOfKind = async (ctx: Deps, { channel, destination_id: id }: On<"teams" | "webhook">, at: string) => {
  const { kind } = await requireDestination(ctx, id).catch(missingAt(`${at}/destination_id`));
  if (kind !== channel) throw invalidAt(`${at}/channel`, `The destination is of kind ${kind}.`);
};

const CHECKS: { [Name in DeliveryChannel]: Check<Name> } = {
  async email({ mailable }, { address }, at) {
    const state = mailable.get(address.toLowerCase());
    if (state !== "allowed") throw invalidAt(`${at}/address`, RECIPIENT_REFUSALS[state ?? "unknown"]);
  },
  async slack(ctx, { integration_id: id }, at) {
    const { type } = await getIntegration(ctx, id).catch(missingAt(`${at}/integration_id`));
    if (type !== "slack") throw invalidAt(`${at}/integration_id`, `The integration is of type ${type}, not slack.`);
  },
  teams: requireOfKind,
  webhook: requireOfKind,
};

/** A flaw for each that is not there, or has not agreed to be sent anything. */
export async function findUnreachable(ctx: Needs<"scope" | "db">, to: readonly Recipient[]): Promise<Flaw[]> {
  const addresses = to.flatMap((recipient) => (recipient.channel === "email" ? [recipient.address.toLowerCase()] : []));
  const mailable = addresses.length > 0 ? await findRecipients(ctx, ctx.scope.teamId, addresses) : new Map();
  const deps: Deps = { ...ctx, mailable };
  const checked = to.map((recipient, i) =>
    (CHECKS[recipient.channel] as Check<DeliveryChannel>)(deps, recipient, `/to/${i}`).then(
      () => [],
      (error: unknown) => {
        if (isProblem(error) && error.flaws.length > 0) return error.flaws;
        throw error;
      },
    ),
  );
  return (await Promise.all(checked)).flat();
}
