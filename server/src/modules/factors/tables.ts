/** The tables this module owns. */
import type { SecondStep } from '@chancery/contract/accounts/factors.ts'
import type { PrincipalKind } from '#kernel/http/actor.ts'

export interface FactorsTable {
  id: string
  principalKind: PrincipalKind
  principalId: string
  kind: 'totp' | 'passkey'
  name: string
  /** Of an authenticator app. */
  sealedSecret: string | null
  /** The newest step of time whose code was used: a code counts once. */
  lastStep: number | null
  /** Of a passkey, as the browser names it. */
  credentialId: string | null
  publicKey: Buffer | null
  counter: number | null
  transports: string[] | null
  createdAt: Date
  /** Null until its first code was right: before that it proves nothing. */
  confirmedAt: Date | null
  lastUsedAt: Date | null
}

interface RecoveryCodesTable {
  principalId: string
  codeHash: string
  createdAt: Date
  usedAt: Date | null
}

export interface RememberedBrowsersTable {
  tokenHash: string
  principalId: string
  /** The second step that was shown then. */
  method: SecondStep | null
  userAgent: string | null
  createdAt: Date
  expiresAt: Date
}

interface UsedPasskeyChallengesTable {
  challengeHash: string
  expiresAt: Date
}

declare module '#kernel/db/tables.ts' {
  interface Tables {
    factors: FactorsTable
    recoveryCodes: RecoveryCodesTable
    rememberedBrowsers: RememberedBrowsersTable
    usedPasskeyChallenges: UsedPasskeyChallengesTable
  }
}
