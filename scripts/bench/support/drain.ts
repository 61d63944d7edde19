// Large answers, read to their end as fast as they come.

import { request } from "node:http";
import { phasesOf, type PhaseTimes } from "./phases.ts";

/** What is asked for: `body` as JSON, the answer in the format `accept`. */
export type LargeQuestion = { url: string; key: string; accept: string; body: unknown };

/** What was read, and the phases that were known by its first byte. */
export type Drained = { bytes: number; phases: PhaseTimes };

/** Reads an answer to its end. */
export function drain({ url, key, accept, body }: LargeQuestion): Promise<Drained> {
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
          ? resolve({ bytes, phases: phasesOf(answer.headers["server-timing"]?.toString()) })
          : reject(new Error(`${url} answered ${answer.statusCode}: ${Buffer.concat(refusal)}`)),
      );
      answer.on("aborted", () => reject(new Error(`${url} broke off after ${bytes} bytes.`))).on("error", reject);
    });
    sent.on("error", reject).end(JSON.stringify(body));
  });
}
