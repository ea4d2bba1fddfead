/**
 * Browsers that aren't asked for a second step for a month, by a cookie whose hash is kept. One stands for the step that
 * was shown in it, and for no stronger one.
 */
import type { SecondStep } from '@chancery/contract/accounts/factors.ts'
import { hashToken, randomToken } from '#kernel/crypto/tokens.ts'
import type { Db } from '#kernel/db/database.ts'
import type { HttpCall } from '#kernel/http/route.ts'
import type { ChallengeOwner } from '#modules/accounts/index.ts'
import type { FactorsContext } from './context.ts'
import { findRememberedUnscoped, insertBrowserUnscoped } from './queries.ts'

const lifeMs = 30 * 86_400_000
const pathOf = { user: '/api/auth', admin: '/api/admin/auth' } as const
const cookieOf = ({ id }: Pick<ChallengeOwner, 'id'>): string => `remembered_${id}`

export const findRemembered = async (
  { clock }: Pick<FactorsContext, 'clock'>,
  db: Db,
  owner: Pick<ChallengeOwner, 'id'>,
  cookies: HttpCall['cookies'],
): Promise<SecondStep | undefined> => {
  const token = cookies[cookieOf(owner)]
  if (token === undefined) return undefined
  const found = await findRememberedUnscoped(db, owner, { tokenHash: hashToken(token), now: clock.now() })
  return found && (found.method ?? 'email')
}

export const rememberBrowser = async (
  { clock, config, db }: Pick<FactorsContext, 'clock' | 'config' | 'db'>,
  { owner, method }: { owner: ChallengeOwner; method: SecondStep },
  http: Pick<HttpCall, 'setCookie' | 'userAgent'>,
): Promise<void> => {
  const token = randomToken()
  const createdAt = clock.now()
  const expiresAt = new Date(createdAt.getTime() + lifeMs)
  const { userAgent } = http
  await insertBrowserUnscoped(db, {
    tokenHash: hashToken(token),
    principalId: owner.id,
    method,
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
