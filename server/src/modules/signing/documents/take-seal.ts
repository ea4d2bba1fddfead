/** How many documents of one tenant are sealed in an hour. Counted when they are sent: who signs last is never refused. */
import type { Db } from '#kernel/db/database.ts'
import type { RateQuota } from '#kernel/quotas/index.ts'
import type { SigningContext } from '../context.ts'
import { isProvenSender } from '../mails/sender-words.ts'
import type { DocumentRow } from '../queries/documents.ts'

export const sealsQuota: RateQuota = {
  kind: 'rate',
  name: 'seals',
  what: 'documents sent to be sealed',
  most: 5000,
  unprovenMost: 100,
  per: 'scope',
  windowSec: 3600,
}

export const takeSeal = async (
  { kernel }: Pick<SigningContext, 'kernel'>,
  tx: Db,
  document: Pick<DocumentRow, 'ownerId' | 'scopeId'>,
): Promise<void> => {
  const account = { id: document.ownerId, isProven: await isProvenSender(tx, document) }
  await kernel.quotas.charge(tx, [{ quota: sealsQuota, subject: { scopeId: document.scopeId, account } }])
}
