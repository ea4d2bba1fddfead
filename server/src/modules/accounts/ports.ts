/** Ports that modules on higher floors fill. */
import type { CompanySignedIn, LoginMode, RegisterCompanyBody } from '@chancery/contract/accounts/accounts.ts'
import type { z } from 'zod'
import type { Origin } from '#kernel/audit/audit.ts'
import type { Db } from '#kernel/db/database.ts'
import type { HttpCall } from '#kernel/http/route.ts'
import type { UserRow } from './queries/users.ts'

/** Another way to sign in claims an address, by answering how. The first answer counts. */
export type LoginMethod = (email: string) => Promise<z.infer<typeof LoginMode> | undefined>

/** Registers a company with its first administrator and signs them in. */
export type CompanyFounder = (request: RegisterCompanyBody, from: Origin) => Promise<z.infer<typeof CompanySignedIn>>

/** The rules of a person's organization for their login. */
export interface LoginPolicy {
  /** Their company signs in elsewhere: a password never opens the door. */
  refusesPassword: boolean
  /** The second step is asked for whether they chose it or not. */
  requiresOtp: boolean
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
