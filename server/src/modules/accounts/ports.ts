/** Ports that modules on higher floors fill. */
import type { CompanySignedIn, LoginMode, RegisterCompanyBody } from '@chancery/contract/accounts/accounts.ts'
import type { Factor, FactorPolicy, PasskeyAnswer, SecondStep } from '@chancery/contract/accounts/factors.ts'
import type { z } from 'zod'
import type { Origin } from '#kernel/audit/audit.ts'
import type { Db } from '#kernel/db/database.ts'
import type { HttpCall } from '#kernel/http/route.ts'
import type { Account } from './guard/known-browser.ts'
import type { UserRow } from './queries/users.ts'

/** Another way to sign in claims an address, by answering how. The first answer counts. */
export type LoginMethod = (email: string) => Promise<z.infer<typeof LoginMode> | undefined>

/** Registers a company with its first administrator and signs them in. */
export type CompanyFounder = (request: RegisterCompanyBody, from: Origin) => Promise<z.infer<typeof CompanySignedIn>>

/** Whose second step it is: a person, or a platform admin. */
export interface ChallengeOwner extends Account {
  email: string
  /** Whose audit log has what goes wrong. */
  organizationId?: string | null
}

/** A second step that was answered rightly. */
export interface ShownStep {
  owner: ChallengeOwner
  method: SecondStep
}

/** The answer to the second step of a login. */
export interface Answer {
  method: Exclude<SecondStep, 'email'>
  otp?: string | undefined
  response?: PasskeyAnswer | undefined
}

/** What a principal proves themselves with besides the password and the mailed code. */
export interface SecondFactors {
  /** False where the server is reached by an IP address: passkeys belong to a domain. */
  canHavePasskeys: boolean
  /** What they have, the strongest first; recovery codes only beside something else. */
  listSteps(db: Db, owner: Pick<ChallengeOwner, 'id'>): Promise<Answer['method'][]>
  /** Part of the transaction that holds the challenge: a right answer is used up by it. */
  check(tx: Db, owner: ChallengeOwner, answer: Answer & { challengeId: string }): Promise<boolean>
  /** The step that was shown in this browser, which is not asked again for a while where that is enough. */
  findRemembered(
    db: Db,
    owner: Pick<ChallengeOwner, 'id'>,
    cookies: HttpCall['cookies'],
  ): Promise<SecondStep | undefined>
  remember(shown: ShownStep, http: Pick<HttpCall, 'setCookie' | 'userAgent'>): Promise<void>
  /** With a new password, what the old one had opened ends. */
  forgetBrowsers(tx: Db, principalId: string): Promise<void>
  /** Which kinds each of these principals has; those without any are absent. */
  listKinds(db: Db, ids: readonly string[]): Promise<{ principalId: string; kind: Factor['kind'] }[]>
  /** SQL over `users`: true for those who have any. Nothing in it comes from outside. */
  enrolled: string
  /** Takes all of them away and tells the owner. */
  reset(tx: Db, owner: Pick<ChallengeOwner, 'id' | 'email'>): Promise<void>
}

/** The rules of a person's organization for their login. */
export interface LoginPolicy {
  /** Their company signs in elsewhere: a password never opens the door. */
  refusesPassword: boolean
  /** The second step is asked for whether they chose it or not. */
  requiresOtp: boolean
  /** The second factor that is asked for now. */
  factors: FactorPolicy
  /** Browsers may be remembered, so that they aren't asked for a second step for a while. */
  remembersBrowsers: boolean
  /** Nobody of their company gets in at present, by whatever way. */
  isSuspended: boolean
}

/**
 * By the person's organization; for an address without an account or without an organization, by the organization whose
 * verified domain it has.
 */
export type FindLoginPolicy = (person: Pick<UserRow, 'email' | 'organizationId'>) => Promise<LoginPolicy>

export interface PasswordAttempt {
  email: string
  password: string
  /** The account of this address, if there is one. */
  user: UserRow | undefined
  from: Origin
}

/**
 * Somebody else who checks passwords (a company's directory). `not mine` passes the attempt on to our own hash;
 * `refused` is final. A user may be made on the spot.
 */
export type PasswordSource = (attempt: PasswordAttempt) => Promise<UserRow | 'not mine' | 'refused'>

/**
 * Called in the transaction that deletes a person, before their row goes: hand what this module keeps of them to the
 * heir, or delete it.
 */
export type UserDeletionHandler = (tx: Db, deletion: { user: UserRow; heir: UserRow | undefined }) => Promise<void>

/**
 * Called in the transaction in which an account passes to the person who proved its address, who may not be the one who
 * made it: what would go on by itself, on behalf of the account, stops, and its sign-ins elsewhere go.
 */
export type TakeoverHandler = (tx: Db, userId: string) => Promise<void>

/** Kept by another module beside a login; it must go when that is ended by hand. */
export interface SessionCompanion {
  /** In the transaction that ends it. */
  end(tx: Db, sessionId: string): Promise<void>
  /** For a browser that signs out. */
  clearCookies(http: HttpCall): void
}
