// A fake channel keeps a mailbox for one test: the requests that came, and how it fails.

/** What becomes of a request: `status` is answered with no body, the others are faults of a network or server. */
export type Fault =
  /** None: the request is answered as usual. */
  | { kind: "pass" }
  | { kind: "error"; error: string }
  | { kind: "status"; status: number; headers?: Record<string, string> }
  /** The request is taken, and then: no answer, an answer that breaks off, one without end, one that is no JSON. */
  | { kind: "silent" | "cut" | "endless" | "html" };

export type Received = { path: string; headers: Record<string, string>; body: string };
export type Reply = { status: number; headers?: Record<string, string>; body: string };
/** A file on its way into Slack. `bytes` are there once it was uploaded, `channel` once it was shared. */
export type FakeUpload = { filename: string; length: number; bytes?: string; channel?: string };
/** `scopes`: what a bot of Slack may do. `uploadUrl`: where it is sent with files; absent, to this server. */
export type Mailbox = {
  scopes: string[];
  received: Received[];
  faults: Fault[];
  uploads: Record<string, FakeUpload>;
  uploadUrl?: string;
};
