// Large answers, read to their end as fast as they come.

import { request } from "node:http";

/** What is asked for: `body` as JSON, the answer in the format `accept`. */
export type LargeQuestion = { url: string; key: string; accept: string; body: unknown };

/** Reads an answer to its end and answers its size in bytes. */
export function drain({ url, key, accept, body }: LargeQuestion): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, accept, "content-type": "application/json" };
    const sent = request(url, { method: "POST", headers }, (answer) => {
      let bytes = 0;
      const refusal: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (answer.statusCode !== 200) refusal.push(chunk);
      });
      answer.on("end", () =>
        answer.statusCode === 200
          ? resolve(bytes)
          : reject(new Error(`${url} answered ${answer.statusCode}: ${Buffer.concat(refusal)}`)),
      );
      answer.on("aborted", () => reject(new Error(`${url} broke off after ${bytes} bytes.`))).on("error", reject);
    });
    sent.on("error", reject).end(JSON.stringify(body));
  });
}
