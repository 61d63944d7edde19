// The engine's HTTP server, behind one secret. Every answer carries a header with the protocol's number.

import { createProgramServer, type ProgramHttp, type ProgramServer, type Served } from "../program/server.ts";
import { ENGINE_HEADER, PROTOCOL } from "../../kernel/wire/engine-program.ts";
import { Failure, toFailure } from "./core/failure.ts";
import type { Parts } from "./routes.ts";

const http: ProgramHttp = {
  name: "engine",
  versionHeader: ENGINE_HEADER,
  protocol: PROTOCOL,
  requestMs: 60_000,
  /** Bytes of a body: a statement with all the roles that a caller may have. */
  bodyBytesMax: 40 * 1024 * 1024,
  refuse(code, message, flaws = []) {
    // The engine's protocol has one code for whatever is wrong with a body, and names flaws in the message.
    const text = [message, flaws.map((flaw) => `${flaw.pointer}: ${flaw.message}`).join("; ")]
      .filter((part) => part !== "")
      .join(" ");
    return new Failure(code === "body_too_large" ? "bad_request" : code, text);
  },
  toFailure,
};

/** Requests that come before `served` is there wait for it. */
export const createEngineServer = (secret: string, served: Served<Parts> | Promise<Served<Parts>>): ProgramServer =>
  createProgramServer({ http, secret, served });
