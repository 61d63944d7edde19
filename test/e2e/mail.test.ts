// Mail as its readers get it: through the local outbox, by a parser that shares no code with the platform.

import { randomUUID } from "node:crypto";
import PostalMime, { type Email } from "postal-mime";
import { expect, inject, it } from "vitest";
import { call, send, type Failure } from "./client.ts";

type Data<Payload> = { data: Payload };
type Entry = { id: string; to: string; subject: string };
type Message = { id: string; state: string; run_id: string | null; error: string | null };

const outbox = async (): Promise<Entry[]> =>
  (await call<Data<{ items: Entry[] }>>("GET", "/v4/admin/outbox")).body.data.items;

/** The newest mail to an address with such a subject. */
async function mailTo(address: string, subject: string): Promise<Email> {
  const find = async () => (await outbox()).find((entry) => entry.to === address && entry.subject.includes(subject));
  await expect.poll(find).toBeDefined();
  const response = await send("GET", `/v4/admin/outbox/${(await find())!.id}`);
  expect(response.headers.get("content-type")).toBe("message/rfc822");
  return PostalMime.parse(await response.text());
}

const press = async (url: string): Promise<number> => (await fetch(url, { method: "POST" })).status;
const email = (body: object) => call<Failure & { messages: { id: string }[] }>("POST", "/v3/email/message", { body });

async function confirm(address: string): Promise<Email> {
  expect((await call("POST", "/v4/mail/addresses", { body: { address } })).status).toBe(202);
  const question = await mailTo(address, "May ");
  expect(await press(/^http\S+\/confirm\/\S+$/m.exec(question.text!)![0])).toBe(200);
  return question;
}

const runOf = (to: string) => `
from definite_sdk import DefiniteClient
result = DefiniteClient().get_message_client().send_email_message(
    to_emails=["${to}"], subject="From a run \\u{1F44B}\\r\\nBcc: mallory@evil.example", body="<h1>Größe</h1><script>x</script>"
)
`;

it("comes from a run by the public SDK to an address that has confirmed, until that unsubscribes", async () => {
  const to = `grace-${randomUUID()}@partner.example`;
  const before = await email({ toEmails: [to], subject: "Hi", body: "Hello" });
  expect([before.status, before.body.error.code]).toEqual([422, "recipient_not_allowed"]);
  await confirm(to);

  const code = runOf(to).replace("\\u{1F44B}", "👋");
  const datasets = { mail: { engine: "python", code, timeoutMs: 90_000 } };
  const definition = { version: 1, kind: "pipeline", metadata: { name: `Mail ${to}` }, datasets };
  const doc = (await call<Data<{ id: string }>>("POST", "/v4/docs", { body: definition })).body.data.id;
  const run = await call<Data<{ results: Record<string, unknown> }>>("POST", `/v4/webhook/docs/${doc}/execute`, {
    body: {},
  });
  expect(run.body.data.results["mail"]).toMatchObject({ success: true, error: null });

  const mail = await mailTo(to, "From a run");
  expect(mail).toMatchObject({ subject: "From a run 👋 Bcc: mallory@evil.example", to: [{ address: to }] });
  expect([mail.bcc, mail.html]).toEqual([undefined, expect.stringMatching(/^<h1>Größe<\/h1>\n<p/)]);
  const { items } = (await call<Data<{ items: Message[] }>>("GET", "/v4/messages?limit=20")).body.data;
  expect(items).toContainEqual(
    expect.objectContaining({ target: to, state: "sent", run_id: expect.any(String) as string }),
  );

  const unsubscribe = mail.headers.find(({ key }) => key === "list-unsubscribe")!.value.slice(1, -1);
  expect((await fetch(unsubscribe)).status).toBe(200);
  expect((await email({ toEmails: to, subject: "Still", body: "Hello" })).status).toBe(202);
  await mailTo(to, "Still");
  expect(await press(unsubscribe)).toBe(200);
  const after = await email({ toEmails: to, subject: "No more", body: "Hello" });
  expect([after.status, after.body.error.code]).toEqual([422, "recipient_not_allowed"]);
}, 180_000);

it("signs in a team's admin by the link that is mailed, and shows the outbox to operators alone", async () => {
  const admin = { name: "Ada", email: `ada-${randomUUID()}@acme.example` };
  const made = await call<Data<{ team: { id: string }; api_key: { key: string } }>>("POST", "/v4/admin/teams", {
    body: { name: `Acme ${admin.email}`, admin },
  });
  const { team, api_key: theirs } = made.body.data;
  const link = await call<Data<{ url: string; mailed: boolean }>>("POST", `/v4/admin/teams/${team.id}/magic-link`);
  expect(link.body.data.mailed).toBe(true);
  const { text } = await mailTo(admin.email, "Sign in");
  const [url] = /^http\S+\/app\/sign-in#\S+$/m.exec(text!)!;
  expect([url, new URL(url).origin]).toEqual([link.body.data.url, new URL(inject("platform").baseUrl).origin]);
  const signIn = (origin: string) =>
    fetch(new URL("/v4/session", url), {
      method: "POST",
      headers: { "content-type": "application/json", origin },
      body: JSON.stringify({ link: new URL(url).hash.slice(1) }),
    });
  expect((await signIn("https://elsewhere.example")).status).toBe(403);
  const signedIn = await signIn(new URL(url).origin);
  expect(await signedIn.json()).toMatchObject({ data: { user: { email: admin.email }, session: { method: "link" } } });
  const [cookie] = signedIn.headers.get("set-cookie")!.split(";");
  const me = await fetch(new URL("/v4/me", url), { headers: { cookie: cookie!, "sec-fetch-site": "same-origin" } });
  expect(await me.json()).toMatchObject({ data: { team: { id: team.id } } });

  const [{ id }] = (await outbox()) as [Entry];
  for (const path of ["/v4/admin/outbox", `/v4/admin/outbox/${id}`])
    expect((await call("GET", path, { key: theirs.key })).status).toBe(403);
});
