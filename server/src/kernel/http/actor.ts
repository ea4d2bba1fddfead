/** The caller. Every credential, over HTTP or a socket, becomes one of these. */
import type { AccountStatus, Role } from '@chancery/contract/accounts/accounts.ts'

/** A person's account (`user`) or a platform admin's (`admin`): two tables, never mixed. */
export type PrincipalKind = 'user' | 'admin'

export interface Principal extends Restriction {
  kind: PrincipalKind
  id: string
  name: string
  email: string
  role: Role
  organizationId: string | null
  status: AccountStatus
  /** Their login asks for a mailed code as a second step. */
  loginOtp: boolean
  createdAt: Date
  /** True once mail to the address has been seen to reach them. */
  emailVerified?: boolean
}

/** Restrictions by an actor's organization. */
export interface Restriction {
  /** From then on the organization may only be read. */
  readOnlyFrom?: Date | null
}

export interface Credential {
  kind: 'session' | 'key'
  id: string
  expiresAt: Date | null
  /** Path prefixes an API key is held to; null means all. */
  allowedRoutes: readonly string[] | null
  /** Of a session: when the person last proved in it who they are. */
  provedAt?: Date | null
  /** Of a session: the second factor that it still lacks. It may do nothing but add or show one. */
  needsFactor?: 'any' | 'phishing_resistant' | null
}

export interface Actor extends Principal {
  credential: Credential
  /** The organization's trial has ended; see `read-only.ts`. */
  isReadOnly?: boolean
}

/**
 * Provided by the accounts module. Undefined means: not a valid credential, for whatever reason. Cached callers are
 * returned without a promise, since most requests come from a caller seen moments ago.
 */
export type Authenticate = (token: string) => Actor | undefined | Promise<Actor | undefined>
