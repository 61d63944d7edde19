// Slack, Teams and a webhook's receiver on this machine: they take and refuse what the real ones do. A test names a
// mailbox of its own, says how the next requests to it fail, and reads what came.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { answerSlack, answerUpload } from "./fake-slack.ts";
import { answerTeams } from "./fake-teams.ts";
import type { Fault, Mailbox, Received, Reply } from "./mailbox.ts";

const CHANNELS: Record<string, (received: Received, mailbox: Mailbox | undefined) => Reply> = {
  slack: answerSlack,
  upload: answerUpload,
  teams: answerTeams,
  hook: () => ({ status: 204, body: "" }),
};

export async function startFakeChannels(): Promise<{ url: string; stop(): void }> {
  const mailboxes = new Map<string, Mailbox>();
  const server = createServer(async (request, response) => {
    const path = request.url ?? "";
    const [, kind = "", id = ""] = path.split("/");
    const content = await readBody(request);
    const body = content.toString(kind === "upload" ? "base64" : "utf8");
    if (kind === "control") {
      const mailbox = mailboxes.get(id) ?? {
        scopes: ["chat:write", "files:write"],
        received: [],
        faults: [],
        uploads: {},
      };
      mailboxes.set(id, mailbox);
      return control(mailbox, { isChange: request.method === "PUT", body }, response);
    }
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const received = { path, headers, body };
    const mailbox = mailboxes.get(
      kind === "slack" ? (/^Bearer (.+)$/.exec(headers["authorization"] ?? "")?.[1] ?? "") : id,
    );
    const fault = mailbox?.faults.shift();
    const isTaken = fault?.kind !== "status" && fault?.kind !== "error";
    if (isTaken) mailbox?.received.push(received);
    if (fault && fault.kind !== "pass") return fail(fault, response);
    const reply = CHANNELS[kind]?.(received, mailbox) ?? { status: 404, body: "" };
    response.writeHead(reply.status, reply.headers).end(reply.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** PUT makes a mailbox, or says how its next requests fail; GET answers what came. */
function control(mailbox: Mailbox, { isChange, body }: { isChange: boolean; body: string }, response: ServerResponse) {
  if (isChange) Object.assign(mailbox, JSON.parse(body));
  response.end(JSON.stringify(mailbox.received));
}

function fail(fault: Exclude<Fault, { kind: "pass" }>, response: ServerResponse): void {
  switch (fault.kind) {
    case "error":
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ ok: false, error: fault.error }));
      return;
    case "status":
      response.writeHead(fault.status, fault.headers).end("x".repeat(1_000));
      return;
    case "silent":
      return;
    case "cut":
      response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
      response.write('{"ok":true,', () => response.destroy());
      return;
    case "html":
      response.writeHead(502, { "content-type": "text/html" }).end("<h1>Bad gateway</h1>");
      return;
    case "endless": {
      response.writeHead(200, { "content-type": "application/json" });
      const more = (): void => {
        while (!response.destroyed && response.write(" ".repeat(65_536)));
      };
      response.on("drain", more);
      more();
      return;
    }
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
