/** Browsers that aren't asked for a second step for a month, by a cookie whose hash is kept. */
import { hashToken, randomToken } from '#kernel/crypto/tokens.ts'
import type { Db } from '#kernel/db/database.ts'
import type { HttpCall } from '#kernel/http/route.ts'
import type { ChallengeOwner } from '#modules/accounts/index.ts'
import type { FactorsContext } from './context.ts'
import { insertBrowserUnscoped, isRememberedUnscoped } from './queries.ts'

const lifeMs = 30 * 86_400_000
const pathOf = { user: '/api/auth', admin: '/api/admin/auth' } as const
const cookieOf = ({ id }: Pick<ChallengeOwner, 'id'>): string => `remembered_${id}`

export const isRemembered = async (
  { clock }: Pick<FactorsContext, 'clock'>,
  db: Db,
  owner: Pick<ChallengeOwner, 'id'>,
  cookies: HttpCall['cookies'],
): Promise<boolean> => {
  const token = cookies[cookieOf(owner)]
  return token !== undefined && isRememberedUnscoped(db, owner, { tokenHash: hashToken(token), now: clock.now() })
}

export const rememberBrowser = async (
  { clock, config, db }: Pick<FactorsContext, 'clock' | 'config' | 'db'>,
  owner: ChallengeOwner,
  http: Pick<HttpCall, 'setCookie' | 'userAgent'>,
): Promise<void> => {
  const token = randomToken()
  const createdAt = clock.now()
  const expiresAt = new Date(createdAt.getTime() + lifeMs)
  const { userAgent } = http
  await insertBrowserUnscoped(db, {
    tokenHash: hashToken(token),
    principalId: owner.id,
    userAgent,
    createdAt,
    expiresAt,
  })
  http.setCookie(cookieOf(owner), token, {
    secure: config.SVC_AUTH_COOKIE_SECURE,
    sameSite: config.SVC_AUTH_COOKIE_SAME_SITE,
    path: pathOf[owner.kind],
    expiresAt,
  })
}
