// A container's program: what is known of it before it runs, and answers that look like its own.

/** Its name among the supervisor's, its port, and the header and number by which its answers are known. */
export type Program = { name: "engine" | "sandbox"; port: number; protocolHeader: string; protocol: number };

/** An answer in the program's place. */
export function answerFor({ protocolHeader, protocol }: Program, status: number, body?: object): Response {
  const headers = { [protocolHeader]: String(protocol), "content-type": "application/json" };
  return new Response(body ? JSON.stringify(body) : null, { status, headers });
}
