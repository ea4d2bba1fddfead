/**
 * The address and the secrets of webhooks. The token in the address finds the webhook and opens nothing by itself; the
 * secrets sign. Both are kept sealed to their webhook, the token also as a hash to find it by.
 */
import { createHash, randomBytes } from 'node:crypto'
import { SealError } from '#kernel/crypto/sealer.ts'
import { randomToken } from '#kernel/crypto/tokens.ts'
import type { Kernel } from '#kernel/kernel.ts'
import type { WebhookRow } from './queries/webhooks.ts'

export const hookPath = '/api/public/hooks'

const oldSecretLifeMs = 24 * 3_600_000

export const hashHookToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** As Standard Webhooks writes them. */
const newSecret = (): string => `whsec_${randomBytes(24).toString('base64')}`

const tokenContext = (id: string): string => `webhook-token:${id}`
const secretContext = (id: string): string => `webhook-secret:${id}`

export const makeKeys = ({ sealer }: Pick<Kernel, 'sealer'>, id: string) => {
  const token = randomToken()
  const secret = newSecret()
  const row = {
    tokenHash: hashHookToken(token),
    sealedToken: sealer.seal(token, tokenContext(id)),
    sealedSecret: sealer.seal(secret, secretContext(id)),
  }
  return { secret, row }
}

/** Both secrets work for a day, so that the other side can change over. Of three, the oldest ends at once. */
export const rotateSecret = (
  { sealer, clock }: Pick<Kernel, 'sealer' | 'clock'>,
  { id, sealedSecret }: Pick<WebhookRow, 'id' | 'sealedSecret'>,
) => {
  const secret = newSecret()
  const change = {
    sealedSecret: sealer.seal(secret, secretContext(id)),
    sealedOldSecret: sealedSecret,
    oldSecretEndsAt: new Date(clock.now().getTime() + oldSecretLifeMs),
  }
  return { secret, change }
}

type Keys = Pick<WebhookRow, 'id' | 'sealedToken' | 'sealedSecret' | 'sealedOldSecret'>

/** Null where the key it was sealed with is gone. */
const openIfReadable = ({ sealer }: Pick<Kernel, 'sealer'>, sealed: string, context: string): string | null => {
  try {
    return sealer.open(sealed, context)
  } catch (problem) {
    if (problem instanceof SealError) return null
    throw problem
  }
}

/** A secret that cannot be read signs nothing; a new one brings the webhook back. */
export const openSecrets = (kernel: Pick<Kernel, 'sealer'>, { id, sealedSecret, sealedOldSecret }: Keys) => ({
  secret: openIfReadable(kernel, sealedSecret, secretContext(id)),
  oldSecret: sealedOldSecret === null ? null : openIfReadable(kernel, sealedOldSecret, secretContext(id)),
})

export const hookUrl = (kernel: Pick<Kernel, 'sealer' | 'externalUrl'>, { id, sealedToken }: Keys): string | null => {
  const token = openIfReadable(kernel, sealedToken, tokenContext(id))
  return token === null ? null : `${kernel.externalUrl}${hookPath}/${token}`
}
