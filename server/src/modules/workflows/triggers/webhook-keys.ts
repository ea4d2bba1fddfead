/**
 * URLs and secrets of webhooks. The token in the URL identifies the webhook and authorizes nothing by itself; the secrets
 * sign. Both are stored encrypted for their webhook, the token also as a hash for the lookup.
 */
import { createHash } from 'node:crypto'
import { type SealContext, storedSeal } from '#kernel/crypto/seal-context.ts'
import { SealError } from '#kernel/crypto/sealer.ts'
import { newWebhookSecret } from '#kernel/crypto/standard-webhooks.ts'
import { randomToken } from '#kernel/crypto/tokens.ts'
import type { Kernel } from '#kernel/kernel.ts'
import type { WebhookRow } from './queries/webhooks.ts'

export const hookPath = '/api/public/hooks'

const oldSecretLifeMs = 24 * 3_600_000

export const hashHookToken = (token: string): Buffer => createHash('sha256').update(token).digest()

const tokenContext = storedSeal({
  purpose: 'webhook-token',
  table: 'webhook_triggers',
  columns: ['sealed_token'],
  by: ['id'],
})
const secretContext = storedSeal({
  purpose: 'webhook-secret',
  table: 'webhook_triggers',
  columns: ['sealed_secret', 'sealed_old_secret'],
  by: ['id'],
})

/** Senders such as Stripe and Slack bring their own secret. */
export const makeKeys = ({ sealer }: Pick<Kernel, 'sealer'>, id: string, secret = newWebhookSecret()) => {
  const token = randomToken()
  const row = {
    tokenHash: hashHookToken(token),
    sealedToken: sealer.seal(token, tokenContext(id)),
    sealedSecret: sealer.seal(secret, secretContext(id)),
  }
  return { secret, row }
}

/** Both secrets work for a day, so that the sender can switch. Rotating again ends the oldest one at once. */
export const rotateSecret = (
  { sealer, clock }: Pick<Kernel, 'sealer' | 'clock'>,
  { id, sealedSecret }: Pick<WebhookRow, 'id' | 'sealedSecret'>,
  secret = newWebhookSecret(),
) => {
  const change = {
    sealedSecret: sealer.seal(secret, secretContext(id)),
    sealedOldSecret: sealedSecret,
    oldSecretEndsAt: new Date(clock.now().getTime() + oldSecretLifeMs),
  }
  return { secret, change }
}

type Keys = Pick<WebhookRow, 'id' | 'sealedToken' | 'sealedSecret' | 'sealedOldSecret'>

/** Null when the encryption key is gone. */
const openIfReadable = ({ sealer }: Pick<Kernel, 'sealer'>, sealed: string, context: SealContext): string | null => {
  try {
    return sealer.open(sealed, context)
  } catch (problem) {
    if (problem instanceof SealError) return null
    throw problem
  }
}

/** An unreadable secret verifies nothing; rotating the secret repairs the webhook. */
export const openSecrets = (kernel: Pick<Kernel, 'sealer'>, { id, sealedSecret, sealedOldSecret }: Keys) => ({
  secret: openIfReadable(kernel, sealedSecret, secretContext(id)),
  oldSecret: sealedOldSecret === null ? null : openIfReadable(kernel, sealedOldSecret, secretContext(id)),
})

export const hookUrl = (kernel: Pick<Kernel, 'sealer' | 'externalUrl'>, { id, sealedToken }: Keys): string | null => {
  const token = openIfReadable(kernel, sealedToken, tokenContext(id))
  return token === null ? null : `${kernel.externalUrl}${hookPath}/${token}`
}
