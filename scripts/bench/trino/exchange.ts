// A client of Trino's protocol whose statements are timed, by Node's own client with connections that are kept.

import { Agent, request } from "node:http";

/** Where Trino's protocol is spoken, as whom; a real Trino wants no key. */
export type TrinoAddress = { url: string; key?: string; session?: Record<string, string> };

/** `requests` are the round trips; `rows` are counted, not kept. */
export type Exchanged = { rows: number; requests: number; bytes: number };
type Page = { nextUri?: string; data?: unknown[][]; error?: { errorName: string; message: string } };

const agent = new Agent({ keepAlive: true });

/** Follows a statement to its last page; rejects where it fails. */
export async function exchange(to: TrinoAddress, sql: string): Promise<Exchanged> {
  let { page, bytes } = await begin(to, sql);
  const total = { rows: page.data?.length ?? 0, requests: 1, bytes };
  while (page.nextUri !== undefined) {
    ({ page, bytes } = await send(to, "GET", page.nextUri));
    total.rows += page.data?.length ?? 0;
    total.requests += 1;
    total.bytes += bytes;
  }
  return total;
}

export const begin = (to: TrinoAddress, sql: string): Promise<{ page: Page; bytes: number }> =>
  send(to, "POST", `${to.url}/v1/statement`, sql);

/** How a statement stands now, by its page's address. */
export const look = async (to: TrinoAddress, uri: string): Promise<Page> => (await send(to, "GET", uri)).page;

export const cancel = (to: TrinoAddress, uri: string): Promise<unknown> => send(to, "DELETE", uri);

function send(
  { key, session }: TrinoAddress,
  method: string,
  uri: string,
  body?: string,
): Promise<{ page: Page; bytes: number }> {
  const headers = {
    "x-trino-user": "bench",
    "x-trino-client-capabilities": "PARAMETRIC_DATETIME",
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
    ...(body !== undefined && { "content-type": "text/plain" }),
    ...session,
  };
  return new Promise((resolve, reject) => {
    const sent = request(uri, { method, headers, agent }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => void chunks.push(chunk)).on("error", reject);
      answer.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        if (answer.statusCode === 204) return resolve({ page: {}, bytes: 0 });
        if (answer.statusCode !== 200) return reject(new Error(`${uri} answered ${answer.statusCode}: ${text}`));
        const page = JSON.parse(text) as Page;
        if (page.error && method === "POST") return reject(new Error(`${page.error.errorName}: ${page.error.message}`));
        resolve({ page, bytes: text.length });
      });
    });
    sent.on("error", reject).end(body);
  });
}
