// /v4/mail: the addresses beside the members' that a team's mail may go to.

import { z } from "@hono/zod-openapi";
import { enveloped, nothing, pageOf } from "../../../http/answer.ts";
import { pageParameters } from "../../../http/request/query-params.ts";
import { createRouter } from "../../../http/router.ts";
import { MAIL_LIMITS } from "../limits.ts";
import { MailAddress, NewMailAddress } from "./address.ts";
import { createMailAddress } from "./create.ts";
import { deleteMailAddress } from "./delete.ts";
import { listMailAddresses } from "./list.ts";

export const mailAddresses = createRouter(["Mail", "Extensions"]);

mailAddresses.operation("createMailAddress", "POST /addresses", {
  permission: "team:manage",
  audit: "mail_address.create",
  summary: "Ask an address whether the team's mail may come there",
  description:
    "By a mail of fixed text, whose link works for " +
    `${MAIL_LIMITS.confirmationMs / 86_400_000} days. An address is asked once a day, whichever team asks (429). One ` +
    "that has confirmed is answered as it is; members need not be asked (409).",
  body: NewMailAddress,
  answer: enveloped("The address, as it is now", MailAddress, 202),
  fails: ["resource_conflict", "mail_unavailable"],
  run: (ctx, { body }) => createMailAddress(ctx, body),
});

mailAddresses.operation("listMailAddresses", "GET /addresses", {
  permission: "team:manage",
  summary: "List the addresses that were asked",
  description: "In alphabetical order, with what each has said. Members are not among them.",
  query: z.strictObject(pageParameters({ limitMax: 250, limitDefault: 100 })),
  answer: enveloped("A page of addresses", pageOf("MailAddressPage", MailAddress)),
  run: (ctx, { query }) => listMailAddresses(ctx, query),
});

mailAddresses.operation("deleteMailAddress", "DELETE /addresses/{address_id}", {
  permission: "team:manage",
  audit: "mail_address.delete",
  summary: "Send no more mail to an address",
  description: "What waits to go there is not sent either.",
  params: z.object({ address_id: z.string() }),
  answer: nothing("Deleted"),
  run: (ctx, { params }) => deleteMailAddress(ctx, params.address_id),
});
