/** A no, as S3 says it: https://developers.cloudflare.com/r2/api/error-codes/ */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export const denied = (message: string): Refusal => new Refusal(403, "AccessDenied", message);
