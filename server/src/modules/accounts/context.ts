import { normalized } from '@chancery/contract/normalized.ts'
import type { Db } from '#kernel/db/database.ts'
import type { Kernel } from '#kernel/kernel.ts'
import type { ActorCache } from './actor/actor-cache.ts'
import type { Tokens } from './actor/tokens.ts'
import type { AccountsConfig } from './config.ts'
import type { FailureTime } from './guard/failure-time.ts'
import type { LockedMailJob } from './guard/locked-mail.ts'
import type { Passwords } from './passwords/passwords.ts'
import type {
  FindLoginPolicy,
  LoginMethod,
  PasswordSource,
  SecondFactors,
  SessionCompanion,
  TakeoverHandler,
  UserDeletionHandler,
} from './ports.ts'
import type { UserRow } from './queries/users.ts'

export interface AccountsContext extends Kernel<AccountsConfig> {
  passwords: Passwords
  tokens: Tokens
  cache: ActorCache
  loginMethods: LoginMethod[]
  passwordSources: PasswordSource[]
  sessionCompanions: SessionCompanion[]
  deletionHandlers: UserDeletionHandler[]
  takeoverHandlers: TakeoverHandler[]
  findLoginPolicy: FindLoginPolicy
  /** Undefined until a module has them: then there are none but the mailed code. */
  secondFactors: SecondFactors | undefined
  failureTime: FailureTime
  lockedMail: LockedMailJob
}

/**
 * Changes something about a principal (status, role, sessions, name) and makes every node forget what it knew of them:
 * this one before the promise resolves, the others when the commit's signal arrives.
 */
export const changePrincipal = async <Result>(
  { db, signals, cache }: Pick<AccountsContext, 'db' | 'signals' | 'cache'>,
  principalId: string,
  change: (tx: Db) => Promise<Result>,
): Promise<Result> => {
  const result = await db.transaction().execute(async (tx) => {
    const changed = await change(tx)
    await signals.send(tx, principalTopic, principalId)
    return changed
  })
  cache.forget(principalId)
  return result
}

export const principalTopic = 'principal'

export const asPrincipal = (user: UserRow) => {
  const { id, name, email, role, organizationId, status, loginOtp, createdAt } = user
  const emailVerified = user.emailProvenAt !== null
  return { kind: 'user' as const, id, name, email, role, organizationId, status, loginOtp, createdAt, emailVerified }
}

export const canonicalEmail = (email: string): string => normalized(email.trim()).toLowerCase()
