/** The tables this module owns. */
import type { AccountStatus, Role } from '@chancery/contract/accounts/accounts.ts'
import type { FactorPolicy, SecondStep } from '@chancery/contract/accounts/factors.ts'
import type { GeneratedAlways } from 'kysely'
import type { PrincipalKind } from '#kernel/http/actor.ts'

export interface UsersTable {
  id: string
  name: string
  email: string
  /** Null for people who never sign in with a password here. */
  passwordHash: string | null
  role: Exclude<Role, 'ROLE_PLATFORM_OWNER'>
  organizationId: string | null
  /** By the organization; it alone lifts it. */
  deactivatedAt: Date | null
  /** By a platform admin; only they lift it. */
  bannedAt: Date | null
  /** The address went to somebody who proved it; see `former_email`. */
  closedAt: Date | null
  formerEmail: string | null
  /** Made by the database from the three above. */
  status: GeneratedAlways<AccountStatus>
  loginOtp: boolean
  lastLoginAt: Date | null
  /** When they showed that mail to this address reaches them; registering alone proves nothing. */
  emailProvenAt: Date | null
  createdAt: Date
}

export interface SessionsTable {
  id: string
  principalKind: PrincipalKind
  principalId: string
  ip: string | null
  userAgent: string | null
  createdAt: Date
  lastUsedAt: Date
  expiresAt: Date | null
  revokedAt: Date | null
  /** The session at the identity provider that this one came from, where there is one. */
  issuer: string | null
  externalSessionId: string | null
  /** How the sign-in was finished; null for those of releases before. */
  method: SignInMethod | null
  /** When the person last proved in this session who they are. */
  provedAt: Date | null
  /** Until a second factor of this kind has been added or shown, it may do nothing else. */
  needsFactor: Exclude<FactorPolicy, 'none'> | null
}

/** `remembered`: by password, in a browser that isn't asked for a second step. */
export type SignInMethod = 'password' | 'remembered' | 'provider' | 'new' | SecondStep

export interface ApiKeysTable {
  id: string
  principalKind: PrincipalKind
  principalId: string
  /** The key that made this one; it ends together with it. */
  parentId: string | null
  name: string
  prefix: string
  keyHash: string
  allowedRoutes: string[] | null
  createdAt: Date
  lastUsedAt: Date | null
  expiresAt: Date | null
  revokedAt: Date | null
}

export interface LoginChallengesTable {
  id: string
  /** One of the two: whose it is. */
  userId: string | null
  adminId: string | null
  /** Empty while no code has been mailed. */
  codeMac: string
  /** How it can be answered; null for those of releases before, which mail a code. */
  methods: SecondStep[] | null
  failures: number
  codeSentAt: Date
  expiresAt: Date
  usedAt: Date | null
  createdAt: Date
  /** The email with the code. */
  mailId: string | null
}

interface PasswordResetsTable {
  tokenHash: string
  userId: string
  /** The email with the link. */
  mailId: string | null
  expiresAt: Date
  usedAt: Date | null
  createdAt: Date
}

interface EmailVerificationsTable {
  tokenHash: string
  /** The email with the link. */
  mailId: string | null
  userId: string
  email: string
  expiresAt: Date
  createdAt: Date
}

interface LoginFailuresTable {
  bucket: string
  failures: number
  firstFailedAt: Date
  lastFailedAt: Date
  /** Whose failures in a row these are, which end with a success and not with time. */
  principalId: string | null
}

interface UserIdentitiesTable {
  issuer: string
  subject: string
  userId: string
  createdAt: Date
}

export interface DeviceSignInsTable {
  deviceHash: string
  userCodeMac: string
  name: string
  ip: string
  createdAt: Date
  expiresAt: Date
  userId: string | null
  credentialKind: 'session' | 'key' | null
  credentialId: string | null
  isAllowed: boolean | null
}

declare module '#kernel/db/tables.ts' {
  interface Tables {
    users: UsersTable
    sessions: SessionsTable
    apiKeys: ApiKeysTable
    loginChallenges: LoginChallengesTable
    passwordResets: PasswordResetsTable
    loginFailures: LoginFailuresTable
    emailVerifications: EmailVerificationsTable
    userIdentities: UserIdentitiesTable
    deviceSignIns: DeviceSignInsTable
  }
}
