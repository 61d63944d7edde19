// A failure as the API's document of failures says it, and as a class, so that callers catch and read it.

export type Flaw = Readonly<{ pointer: string; message: string; line?: number; column?: number; file?: string }>;

type FailureDocument = {
  message?: string;
  error?: { code?: string; retryable?: boolean; flaws?: Flaw[]; [more: string]: unknown };
  meta?: { requestId?: string };
};

/** The code of an answer that is no document of the platform's own, as a gateway in front of it gives. */
export const UNKNOWN_CODE = "unknown";

export class FjordProblem extends Error {
  override readonly name = "FjordProblem";
  /** One of the codes of the API, or `unknown`. Programs decide by it, never by the message. */
  readonly code: string;
  readonly status: number;
  readonly retryable: boolean;
  readonly flaws: readonly Flaw[];
  /** The `X-Request-Id` under which the platform knows the request. */
  readonly requestId: string | undefined;
  /** The wait that the answer asked for before another try. */
  readonly retryAfterMs: number | undefined;
  /** The `error` member as it came: some codes bring more, as `line`, `column` or `quota`. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(status: number, document: FailureDocument, retryAfterMs?: number) {
    const { message, error, meta } = document;
    super(message ?? `The platform answered ${status} without a reason.`);
    this.code = error?.code ?? UNKNOWN_CODE;
    this.status = status;
    this.retryable = error?.retryable ?? false;
    this.flaws = error?.flaws ?? [];
    this.requestId = meta?.requestId;
    this.retryAfterMs = retryAfterMs;
    this.details = error ?? {};
  }
}

/** Reads a response that failed, whatever its body is. */
export async function problemOf(response: Response): Promise<FjordProblem> {
  const document: unknown = await response.json().catch(() => null);
  const isDocument = typeof document === "object" && document !== null;
  return new FjordProblem(response.status, isDocument ? document : {}, retryAfterMs(response.headers));
}

/** The header `Retry-After`, which is a number of seconds or a date, as milliseconds from now. */
function retryAfterMs(headers: Headers): number | undefined {
  const value = headers.get("retry-after");
  if (value === null) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
