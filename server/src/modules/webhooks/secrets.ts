/** The secrets of an endpoint, stored encrypted for it. They only sign deliveries, and give no access to anything here. */
import { storedSeal } from '#kernel/crypto/seal-context.ts'
import { newWebhookSecret } from '#kernel/crypto/standard-webhooks.ts'
import type { Kernel } from '#kernel/kernel.ts'
import type { EndpointRow } from './queries.ts'

const oldSecretLifeMs = 24 * 3_600_000

const contextOf = storedSeal({
  purpose: 'webhook-endpoint',
  table: 'webhook_endpoints',
  columns: ['sealed_secret', 'sealed_old_secret'],
  by: ['id'],
})

export const makeSecret = ({ sealer }: Pick<Kernel, 'sealer'>, id: string) => {
  const secret = newWebhookSecret()
  return { secret, sealedSecret: sealer.seal(secret, contextOf(id)) }
}

/** Both sign for a day, so that the receiver can switch. Rotating again ends the oldest one at once. */
export const rotateSecret = (
  { sealer, clock }: Pick<Kernel, 'sealer' | 'clock'>,
  { id, sealedSecret: sealedOldSecret }: EndpointRow,
) => {
  const { secret, sealedSecret } = makeSecret({ sealer }, id)
  const oldSecretEndsAt = new Date(clock.now().getTime() + oldSecretLifeMs)
  return { secret, change: { sealedSecret, sealedOldSecret, oldSecretEndsAt } }
}

/** Those that sign now, the newest first. Throws a SealError when the encryption key is gone. */
export const openSecrets = ({ sealer }: Pick<Kernel, 'sealer'>, endpoint: EndpointRow, now: Date): string[] => {
  const { id, sealedSecret, sealedOldSecret, oldSecretEndsAt } = endpoint
  const isOldValid = sealedOldSecret !== null && oldSecretEndsAt !== null && oldSecretEndsAt > now
  return [sealedSecret, ...(isOldValid ? [sealedOldSecret] : [])].map((sealed) => sealer.open(sealed, contextOf(id)))
}
