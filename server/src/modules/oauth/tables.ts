/** The table this module owns. */

export interface OauthSessionsTable {
  /** The hash of the cookie `oauth_session_id`. */
  tokenHash: string
  userId: string
  /** The session here that depends on the provider's login. */
  sessionId: string
  provider: string
  /** The provider's tokens, under OAUTH_SESSION_TOKEN_ENCRYPTION_KEY. */
  sealedTokens: string
  /** When the provider's access token ends, where it says so. */
  expiresAt: Date | null
  createdAt: Date
}

interface OauthUsedStatesTable {
  stateHash: string
  expiresAt: Date
}

declare module '#kernel/db/tables.ts' {
  interface Tables {
    oauthSessions: OauthSessionsTable
    oauthUsedStates: OauthUsedStatesTable
  }
}
