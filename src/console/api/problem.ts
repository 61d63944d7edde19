// A failure of the API as the console holds it: what the failure document says, whichever version answered.

export type Flaw = { pointer: string; message: string };

type FailureDocument = {
  message?: string;
  error?: {
    code?: string;
    status?: number;
    retryable?: boolean;
    flaws?: Flaw[];
    line?: number;
    column?: number;
    hint?: string;
  };
  meta?: { requestId?: string };
};

export class ApiProblem extends Error {
  readonly code: string;
  readonly status: number;
  readonly isRetryable: boolean;
  readonly flaws: readonly Flaw[];
  readonly requestId: string | undefined;
  /** The `error` member as it came: some codes bring more. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(status: number, document: FailureDocument) {
    const { message, error, meta } = document;
    super(message ?? `The platform answered ${status} without a reason.`);
    this.code = error?.code ?? "unknown";
    this.status = status;
    this.isRetryable = error?.retryable ?? false;
    this.flaws = error?.flaws ?? [];
    this.requestId = meta?.requestId;
    this.details = error ?? {};
  }
}

/** Reads a response that failed, whatever its body is. */
export async function problemOf(response: Response): Promise<ApiProblem> {
  const document: unknown = await response.json().catch(() => ({}));
  return new ApiProblem(response.status, (document ?? {}) as FailureDocument);
}

const OFFLINE = "The platform could not be reached. Your connection may be down; nothing you typed is lost.";

/** Any thrown value as a problem: a request that never got an answer is one, too. */
export function asProblem(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error;
  const message = error instanceof TypeError ? OFFLINE : String(error instanceof Error ? error.message : error);
  return new ApiProblem(0, { message, error: { code: error instanceof TypeError ? "offline" : "unexpected" } });
}

const RETRIES_MAX = 2;

/** What the API calls repeatable is asked for again; a mistake stays one however often it is sent. */
export const mayRetry = (count: number, error: unknown): boolean => count < RETRIES_MAX && asProblem(error).isRetryable;
