/** The revisions after a signature, one by one. Only what is wholly understood is told. */
import { PDF } from '@libpdf/core'
import { isStoreUpdate } from '../read/security-store.ts'
import { SyntaxProblem } from '../strict/syntax.ts'
import { readUpdate } from './allowed-update.ts'
import { type Revision, readRevision } from './revision.ts'
import { readSignedObjects } from './signed-objects.ts'
import type { SignedRange } from './signed-range.ts'

/** `own_store`: byte for byte as we write it. `timestamp`: of an authority that says when it saw the file. */
export type FollowUp = 'own_store' | 'store' | 'timestamp' | 'signature'

export interface IntactSignature {
  range: SignedRange
  isTimestamp: boolean
}

/** Each revision is compared with all that is before it. */
const maxFollowUps = 20

/** Undefined when anything follows that isn't allowed. `intact`: all signatures of the file that are. */
export const followUpsOf = async (
  file: Buffer,
  end: number,
  intact: readonly IntactSignature[],
): Promise<FollowUp[] | undefined> => {
  if (end < file.length && (await isOwnStore(file, end))) return ['own_store']
  try {
    return await readFollowUps(file, end, intact)
  } catch (problem) {
    if (problem instanceof SyntaxProblem) return undefined
    throw problem
  }
}

const readFollowUps = async (file: Buffer, end: number, intact: readonly IntactSignature[]): Promise<FollowUp[]> => {
  const found: FollowUp[] = []
  for (let at = end; at < file.length; ) {
    if (found.length === maxFollowUps) throw new SyntaxProblem('too many revisions')
    const revision = readRevision(file, at)
    const until = revision.end + lineBreakAt(file, revision.end)
    const added = readUpdate(readSignedObjects(file, at), revision)
    if (added === 'store') found.push((await isOwnStore(file.subarray(0, until), at)) ? 'own_store' : 'store')
    else {
      const inIt = intact.find(({ range }) => range.gapStart > at && range.gapEnd < revision.end)
      if (!inIt || !isWhole(inIt.range, revision, until) || contentsIn(file, inIt.range) !== added.contents)
        throw new SyntaxProblem('the signature is not intact, or is over something else')
      found.push(inIt.isTimestamp ? 'timestamp' : 'signature')
    }
    at = until
  }
  return found
}

/** A later signature ends with the revision that adds it. */
const isWhole = ({ end }: SignedRange, revision: Revision, until: number): boolean =>
  end >= revision.end && end <= until

const contentsIn = (file: Buffer, { gapStart, gapEnd }: SignedRange): string =>
  file.toString('latin1', gapStart + 1, gapEnd - 1).toLowerCase()

const isOwnStore = async (file: Buffer, at: number): Promise<boolean> => {
  const pdf = await PDF.load(file).catch(() => undefined)
  return pdf !== undefined && isStoreUpdate(file, at, pdf)
}

const lineBreakAt = (file: Buffer, at: number): number => {
  if (file[at] === 0x0a) return 1
  return file[at] === 0x0d ? (file[at + 1] === 0x0a ? 2 : 1) : 0
}
