/** Keeps the provider's tokens for this login: sealed in the database, the browser holding only a name for them. */
import { storedSeal } from '#kernel/crypto/seal-context.ts'
import { hashToken, randomToken } from '#kernel/crypto/tokens.ts'
import type { Db } from '#kernel/db/database.ts'
import type { OidcLogin } from '#kernel/oidc/index.ts'
import type { OauthContext } from './context.ts'
import { deleteAllButNewestUnscoped, insertOauthSessionUnscoped } from './queries.ts'

/** Per person and provider: old logins would otherwise pile up where nobody signs out. */
const keep = 10

interface Kept {
  userId: string
  sessionId: string
  provider: string
  login: OidcLogin
}

/** Binds the tokens to their row. */
export const sealedAs = storedSeal({
  purpose: 'oauth_sessions',
  table: 'oauth_sessions',
  columns: ['sealed_tokens'],
  by: ['token_hash'],
  keyVariable: 'OAUTH_SESSION_TOKEN_ENCRYPTION_KEY',
})

/** Answers the cookie's value. */
export const storeTokens = async (
  { clock, tokenSealer }: Pick<OauthContext, 'clock' | 'tokenSealer'>,
  db: Db,
  { userId, sessionId, provider, login }: Kept,
): Promise<string> => {
  const token = randomToken()
  const tokenHash = hashToken(token)
  const createdAt = clock.now()
  const { idToken, accessToken, refreshToken, expiresInSec } = login
  const sealedTokens = tokenSealer.seal(JSON.stringify({ idToken, accessToken, refreshToken }), sealedAs(tokenHash))
  const expiresAt = expiresInSec === undefined ? null : new Date(createdAt.getTime() + expiresInSec * 1000)
  await insertOauthSessionUnscoped(db, { tokenHash, userId, sessionId, provider, sealedTokens, expiresAt, createdAt })
  await deleteAllButNewestUnscoped(db, { userId, provider, keep })
  return token
}
