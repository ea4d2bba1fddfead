/** Secrets that senders issue themselves, checked for their scheme. */
import type { WebhookScheme } from '@chancery/contract/workflows/triggers.ts'
import { AppError } from '#kernel/errors.ts'

const issuedBySender: ReadonlySet<WebhookScheme> = new Set(['stripe', 'slack'])

/** Standard Webhooks keys are base64 after their prefix. */
const standardSecret = /^whsec_[A-Za-z0-9+/]{16,}={0,2}$/

export const checkSecret = (scheme: WebhookScheme, secret: string | undefined): void => {
  if (secret === undefined && issuedBySender.has(scheme))
    throw refused('Enter the signing secret that the sender shows.')
  if (secret !== undefined && scheme === 'standard' && !standardSecret.test(secret))
    throw refused('must be whsec_ followed by base64')
}

const refused = (msg: string): AppError =>
  new AppError('validation_failed', { problems: [{ loc: ['body', 'secret'], msg, type: 'invalid' }] })
