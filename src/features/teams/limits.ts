// Bounds of teams as a whole, and of their users, sessions, keys and agents.

export const TEAM_LIMITS = {
  /**
   * All of a deleted team is looked for once more after so long: longer than a URL that was signed for it is good, and
   * a key of it is remembered.
   */
  removalMs: (3_600 + 300) * 1_000,
  removalRetryMs: 300_000,
  removalsPerSweepMax: 50,
  /** Steps of a removal, each of a thousand objects. */
  removalStepsMax: 10,
  removalStatementsMax: 200,
  removalRowsMax: 1_000,

  /** A link that signs in is used within so long after it is made. */
  magicLinkMs: 900_000,
  /** A link is known for so long, so that who looks for one finds what became of it. */
  magicLinkKeptMs: 86_400_000,
  magicLinksForgottenPerSweepMax: 500,
  /** One mail has links into so many teams at most. */
  magicLinksPerMailMax: 20,

  /** A session ends so long after its last use, and so long after its beginning. */
  sessionIdleMs: 7 * 86_400_000,
  sessionMs: 30 * 86_400_000,
  /** The last use of a session is written down once in so long. */
  sessionUseEveryMs: 3_600_000,
  /** The oldest sessions of a user beyond so many end. */
  sessionsPerUserMax: 100,
  /** A session is known for so long after its end. */
  sessionKeptMs: 86_400_000,
  sessionsForgottenPerSweepMax: 1_000,
  userAgentCharactersMax: 200,

  /** So many attempts to sign in are taken from one network address within a minute. */
  signInTryMs: 60_000,
  signInTriesMax: 60,
  /** So many links are asked for within an hour, for one mail address and from one network address. */
  linkAskMs: 3_600_000,
  linkAsksPerMailAddressMax: 5,
  linkAsksPerCallerMax: 60,
  passkeysPerUserMax: 20,
  domainsPerTeamMax: 50,
  /** Somebody who has begun to sign in at a provider comes back within so long. */
  oidcMs: 600_000,
  /** An address may be of the domains of so many teams. */
  issuersPerMailAddressMax: 20,
  teamsPerMailAddressMax: 100,
  /** A browser answers a challenge within so long. */
  challengeMs: 600_000,
  challengesForgottenPerSweepMax: 1_000,
  signInTriesForgottenPerSweepMax: 1_000,

  usersPerTeamMax: 1_000,
  /** A user has so many keys that have not ended; twice as many with rotated ones that work a while longer. */
  keysPerUserMax: 50,
  keyOverlapSecondsMax: 7 * 86_400,
  /** A key is kept for so long after it has ended. */
  keyKeptMs: 30 * 86_400_000,
  keysForgottenPerSweepMax: 500,
  /** A key that a person makes for themselves ends within so long. */
  ownKeyMsMax: 100 * 86_400_000,
  /** Whoever has so many that work, makes no more for themselves: the team's plan is for all. */
  ownKeysPerUserMax: 5,

  /** An agent fetches its first tokens within so long after a person lets it act for them. */
  agentCodeMs: 60_000,
  /** An agent's access token is good for so long. */
  agentAccessMs: 900_000,
  /** An authorization ends so long after its tokens were fetched last. */
  agentIdleMs: 30 * 86_400_000,
  /** The oldest authorizations of a user beyond so many end. */
  agentsPerUserMax: 50,
  agentsForgottenPerSweepMax: 1_000,
  agentNameCharactersMax: 100,
  /** A client's document is asked for within these bounds, and known to an isolate for a while. */
  agentClientAnswerMs: 5_000,
  agentClientBytesMax: 16 * 1024,
  agentClientKeptMs: 300_000,
  agentClientsKeptMax: 500,
  /** A person has so many documents asked for within the span. */
  agentClientTryMs: 600_000,
  agentClientTriesMax: 30,
} as const;
