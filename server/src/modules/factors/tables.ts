/** The tables this module owns. */
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

interface RememberedBrowsersTable {
  tokenHash: string
  principalId: string
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
