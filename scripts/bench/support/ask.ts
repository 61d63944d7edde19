// Questions over HTTP whose answers are timed, by Node's own client: `fetch` adds a millisecond and a half to each
// small answer, and ten to a large document.

import { request, type IncomingMessage } from "node:http";
import { phasesOf, type PhaseTimes } from "./phases.ts";

/** What is asked for: `body` as JSON, where there is one; the answer in the format `accept`. */
export type Question = { url: string; key: string; accept: string; body?: unknown };

/** What was read, and the phases that were known by its first byte. */
export type Drained = { bytes: number; phases: PhaseTimes };

/** Reads an answer to its end as fast as it comes. */
export async function drain(question: Question): Promise<Drained> {
  let bytes = 0;
  const answer = await read(question, (chunk) => void (bytes += chunk.length));
  return { bytes, phases: phasesOf(serverTimingOf(answer)) };
}

/** A JSON answer, and its header `Server-Timing`. */
export async function askJson<Document>(
  question: Omit<Question, "accept">,
): Promise<{ document: Document; serverTiming: string | undefined }> {
  const chunks: Buffer[] = [];
  const answer = await read({ ...question, accept: "application/json" }, (chunk) => void chunks.push(chunk));
  const document = JSON.parse(Buffer.concat(chunks).toString()) as Document;
  return { document, serverTiming: serverTimingOf(answer) };
}

const serverTimingOf = ({ headers }: IncomingMessage): string | undefined => headers["server-timing"]?.toString();

/** Resolves with the answer's head at its end; rejects where it is cut, or neither 200 nor 201. */
function read({ url, key, accept, body }: Question, take: (chunk: Buffer) => void): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? "GET" : "POST";
    const headers = {
      authorization: `Bearer ${key}`,
      accept,
      ...(body !== undefined && { "content-type": "application/json" }),
    };
    const sent = request(url, { method, headers }, (answer) => {
      const isGranted = answer.statusCode === 200 || answer.statusCode === 201;
      const refusal: Buffer[] = [];
      answer.on("data", isGranted ? take : (chunk: Buffer) => void refusal.push(chunk));
      answer.on("end", () =>
        isGranted
          ? resolve(answer)
          : reject(new Error(`${url} answered ${answer.statusCode}: ${Buffer.concat(refusal)}`)),
      );
      answer.on("aborted", () => reject(new Error(`${url} broke off.`))).on("error", reject);
    });
    sent.on("error", reject).end(body === undefined ? undefined : JSON.stringify(body));
  });
}
