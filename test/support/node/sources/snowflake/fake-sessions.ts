// The fake's sessions: logins, tokens that expire, and their renewal.

import { randomUUID } from "node:crypto";
import { refusal, type AnswerBody } from "./fake-statements.ts";

export const CREDENTIALS = {
  account: "acme-canary",
  username: "reader",
  password: "canary-password-8c41",
  warehouse: "warehouse",
  database: "db",
};

export type FakeSession = {
  token: string;
  masterToken: string;
  isExpired: boolean;
  isMasterExpired: boolean;
  isClosed: boolean;
  /** What the login sent. */
  login: Record<string, unknown>;
};

const newToken = (): string => `canary-token-${randomUUID()}`;

export class FakeSessions {
  readonly all: FakeSession[] = [];

  logIn(url: URL, data: Record<string, unknown>): AnswerBody {
    if (data.LOGIN_NAME !== CREDENTIALS.username || data.PASSWORD !== CREDENTIALS.password)
      return refusal("390100", "Incorrect username or password was specified.", { nextAction: "RETRY_LOGIN" });
    const database = url.searchParams.get("databaseName");
    if (database !== "DB") return refusal("390201", "The requested database does not exist or not authorized.");
    const session: FakeSession = {
      token: newToken(),
      masterToken: newToken(),
      isExpired: false,
      isMasterExpired: false,
      isClosed: false,
      login: data,
    };
    this.all.push(session);
    return success({
      token: session.token,
      masterToken: session.masterToken,
      validityInSeconds: 3_600,
      masterValidityInSeconds: 14_400,
      sessionId: this.all.length,
      parameters: [{ name: "CLIENT_SESSION_KEEP_ALIVE", value: false }],
      sessionInfo: { databaseName: database, warehouseName: url.searchParams.get("warehouse"), roleName: "READER" },
    });
  }

  /** The session that a header names; or what the service says of one that is over. */
  find(authorization: string | undefined): FakeSession | AnswerBody {
    const token = /^Snowflake Token="(.*)"$/.exec(authorization ?? "")?.[1];
    const session = this.all.find((candidate) => candidate.token === token);
    if (!session) return refusal("390104", "Session token not found or invalid data.");
    if (session.isClosed)
      return refusal("390111", "Session no longer exists. New login required to access the service.");
    return session.isExpired ? refusal("390112", "Your session has expired. Please login again.") : session;
  }

  renew(authorization: string | undefined): AnswerBody {
    const token = /^Snowflake Token="(.*)"$/.exec(authorization ?? "")?.[1];
    const session = this.all.find(({ masterToken }) => masterToken === token);
    if (!session || session.isMasterExpired)
      return refusal("390114", "Authentication token has expired. The user must authenticate again.");
    session.token = newToken();
    session.isExpired = false;
    return success({
      sessionToken: session.token,
      masterToken: session.masterToken,
      validityInSecondsST: 3_600,
      validityInSecondsMT: 14_400,
      sessionId: 1,
    });
  }

  expire(): void {
    for (const session of this.all) session.isExpired = true;
  }

  expireForGood(): void {
    for (const session of this.all) session.isExpired = session.isMasterExpired = true;
  }
}

export const success = (data: Record<string, unknown>): AnswerBody => ({
  success: true,
  code: null,
  message: null,
  data,
});
