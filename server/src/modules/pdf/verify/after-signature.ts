/** What follows the signed part of a file, and which of it is a change. */
import type { PDF } from '@libpdf/core'
import { type Change, changesSince } from './changes.ts'
import { followUpsOf, type IntactSignature } from './follow-ups.ts'
import { redefinedPages } from './redefined.ts'
import type { SignedRange } from './signed-range.ts'

export interface Around {
  file: Buffer
  /** The file as it is now, where it can be read. */
  pdf: PDF | undefined
  intact: readonly IntactSignature[]
}

/**
 * Our own proof of the certificates' validity is part of the seal; without a time-stamp a seal has none. What other tools
 * may add is told, and everything that isn't wholly understood is a change: readers disagree about what a file with
 * unusual parts shows.
 */
export const readRest = async (
  { end, isStamped, allowsNothing }: Pick<SignedRange, 'end'> & { isStamped: boolean; allowsNothing: boolean },
  { file, pdf, intact }: Around,
): Promise<{ bytesAfter: number; changes: Change[] }> => {
  if (end === file.length) return { bytesAfter: 0, changes: [] }
  const found = await followUpsOf(file, end, intact)
  if (!found) return { bytesAfter: file.length - end, changes: await changesAfter(file.subarray(0, end), file, pdf) }
  const followUps = found.map((one) => (one === 'own_store' && !isStamped ? 'store' : one))
  const [first, ...others] = followUps
  if (first === 'own_store' && others.length === 0) return { bytesAfter: 0, changes: [] }
  const covered = followUps.findIndex((one) => one === 'signature' || one === 'timestamp')
  const isBare = followUps.slice(0, covered + 1 || undefined).includes('store')
  const changes: Change[] = [
    ...(isBare ? [{ kind: 'security_store' } as const] : []),
    ...(allowsNothing && followUps.includes('signature') ? [{ kind: 'signature_added' } as const] : []),
  ]
  return { bytesAfter: file.length - end, changes }
}

/** A reader may show what was appended although ours does not. */
const changesAfter = async (signed: Buffer, file: Buffer, pdf: PDF | undefined): Promise<Change[]> => {
  if (!pdf) return [{ kind: 'unreadable' }]
  const changes = await changesSince(signed, pdf)
  return changes.length === 0 ? redefinedPages(signed, file.subarray(signed.length)) : changes
}
