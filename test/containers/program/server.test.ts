// A program's HTTP server while the program still loads: what waits, what is refused at once, what is left out.

import { connect, type AddressInfo } from "node:net";
import { z } from "zod";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createProgramServer, type Served } from "../../../containers/program/server.ts";

class Refusal extends Error {
  readonly status = 401;
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }

  toJSON() {
    return { code: this.code };
  }
}

let served: PromiseWithResolvers<Served<object>>;
let server: ReturnType<typeof createProgramServer>;
let url: string;
/** The paths that reached a route. */
let reached: string[];

const load = (): void =>
  served.resolve({
    routes: [
      [
        "GET",
        /^\/things\/(\w+)$/,
        ({ response, id }) => {
          reached.push(id);
          response.writeHead(204).end();
        },
      ],
      [
        "POST",
        /^\/things\/(\w+)$/,
        async ({ response, id, readBody }) => {
          reached.push(`the body of ${id}`);
          await readBody(z.object({}));
          reached.push(id);
          response.writeHead(204).end();
        },
      ],
    ],
    parts: {},
  });

const ask = (id: string, secret = "right", signal?: AbortSignal): Promise<Response> =>
  fetch(`${url}/things/${id}`, { headers: { authorization: `Bearer ${secret}` }, ...(signal ? { signal } : {}) });

/** Resolves once the server has `count` open connections. */
const untilConnected = (count: number): Promise<unknown> =>
  expect
    .poll(() => new Promise<number>((resolve) => server.getConnections((_, open) => resolve(open))), {
      timeout: 10_000,
    })
    .toBe(count);

beforeEach(async () => {
  served = Promise.withResolvers();
  reached = [];
  server = createProgramServer({
    http: {
      name: "program",
      versionHeader: "x-program",
      protocol: 7,
      requestMs: 60_000,
      bodyBytesMax: 1024,
      refuse: (code) => new Refusal(code),
      toFailure: (error) => (error instanceof Refusal ? error : new Refusal(String(error))),
    },
    secret: "right",
    served: served.promise,
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  load();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

describe("a program that still loads", () => {
  it("answers what was asked meanwhile once it is loaded", async () => {
    const early = ask("early");
    await untilConnected(1);
    expect(reached).toEqual([]);
    load();
    expect((await early).status).toBe(204);
    expect(reached).toEqual(["early"]);
  });

  it("refuses at once who doesn't know its secret, with the header that says it is there", async () => {
    const response = await ask("stranger", "wrong");
    expect(response.status).toBe(401);
    expect(response.headers.get("x-program")).toBe("7");
    load();
    expect((await ask("known")).status).toBe(204);
    expect(reached).toEqual(["known"]);
  });

  it("does nothing for a sender who has gone meanwhile", async () => {
    const leaving = new AbortController();
    const gone = ask("gone", "right", leaving.signal).catch(() => "gone");
    await untilConnected(1);
    leaving.abort();
    expect(await gone).toBe("gone");
    await untilConnected(0);
    load();
    expect((await ask("next")).status).toBe(204);
    expect(reached).toEqual(["next"]);
  });
});

/** What comes back on one connection, until the server ends it or as many answers are there. */
async function send(text: string, answers: number, socket = open()): Promise<string> {
  let received = "";
  socket.write(text);
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    received += String(chunk);
    if (received.split("HTTP/1.1 ").length > answers) break;
  }
  return received;
}

const open = () => connect((server.address() as AddressInfo).port, "127.0.0.1");

describe("a program that is being stopped", () => {
  it("leaves to its successor what would begin, answers the rest, and keeps no connection", async () => {
    load();
    const head = (method: string, id: string) =>
      `${method} /things/${id} HTTP/1.1\r\nhost: p\r\nauthorization: Bearer right\r\n`;
    const socket = open();
    // The program is told to stop while the body of the request is on its way.
    socket.write(head("POST", "late") + "content-length: 2\r\n\r\n{");
    await expect.poll(() => reached).toEqual(["the body of late"]);
    server.refuseNew();
    const late = await send("}", 1, socket);
    expect(late).toMatch(/^HTTP\/1\.1 401 .*x-fjord-ask-successor: true.*\{"code":"stopping"\}/s);
    const known = await send(`${head("GET", "known")}\r\n`, 1);
    expect(known).toMatch(/^HTTP\/1\.1 204 .*connection: close/s);
    expect(known).not.toContain("ask-successor");
    expect(reached).toEqual(["the body of late", "known"]);
  });
});

describe("a refusal", () => {
  it("leaves the connection of who sent no body to the next request", async () => {
    load();
    const known = "GET /things/known HTTP/1.1\r\nhost: p\r\nauthorization: Bearer right\r\n\r\n";
    const received = await send(`HEAD / HTTP/1.1\r\nhost: p\r\n\r\n${known}`, 2);
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 401", "HTTP/1.1 204"]);
    expect(reached).toEqual(["known"]);
  });

  it.each(["content-length: 99", "transfer-encoding: chunked"])(
    "takes no request out of a body that was not read: %s",
    async (header) => {
      load();
      const smuggled = "GET /things/smuggled HTTP/1.1\r\nhost: p\r\nauthorization: Bearer right\r\n\r\n";
      const received = await send(`POST / HTTP/1.1\r\nhost: p\r\n${header}\r\n\r\n${smuggled}`, 2);
      expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 401"]);
      expect(received).toContain("connection: close");
      expect(reached).toEqual([]);
    },
  );
});
