/**
 * The hash chain of a document's audit log: every entry carries the hash of the one before it, so that a changed, moved
 * or missing entry shows. Anybody can check it from an export, with nothing but SHA-256. Pure.
 */
import { createHash } from 'node:crypto'
import type { AuditEntry } from '@chancery/contract/signing/documents.ts'

export type ChainEntry = Omit<AuditEntry, 'hash'>

/** The hash before the first entry: bound to its document, so that no chain can be moved to another. */
export const chainStart = (documentId: string): string => sha256(`chancery:signing:${documentId}`)

export const hashEntry = ({ seq, type, at, actor, ip, userAgent, detail, prevHash }: ChainEntry): string =>
  sha256(
    canonicalJson({
      seq,
      type,
      at,
      actor: { type: actor.type, name: actor.name, email: actor.email },
      ip,
      userAgent,
      detail,
      prevHash,
    }),
  )

export type ChainProblem = { seq: number; problem: 'changed' | 'missing' | 'not_linked' }

/** The first entry that does not fit; undefined when all do. What was cut off at the end is found by `expectedLength`. */
export const checkChain = (
  documentId: string,
  entries: readonly AuditEntry[],
  expectedLength?: number,
): ChainProblem | undefined => {
  let prevHash = chainStart(documentId)
  for (const [index, entry] of entries.entries()) {
    const seq = index + 1
    if (entry.seq !== seq) return { seq, problem: 'missing' }
    if (entry.prevHash !== prevHash) return { seq, problem: 'not_linked' }
    if (hashEntry(entry) !== entry.hash) return { seq, problem: 'changed' }
    prevHash = entry.hash
  }
  return expectedLength !== undefined && entries.length < expectedLength
    ? { seq: entries.length + 1, problem: 'missing' }
    : undefined
}

/** JSON with sorted keys and no white space, so that two readers hash the same bytes. */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  const pairs = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`)
  return `{${pairs.join(',')}}`
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
