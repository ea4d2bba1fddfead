import type { AuditEntry } from '@chancery/contract/signing/documents.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ChainEntry, canonicalJson, chainStart, checkChain, hashEntry } from './chain.ts'

const documentId = '01900000-0000-7000-8000-00000000000d'
const chainOf = (details: readonly Record<string, unknown>[]): AuditEntry[] => {
  let prevHash = chainStart(documentId)
  return details.map((detail, index) => {
    const entry: ChainEntry = {
      seq: index + 1,
      type: 'viewed',
      at: new Date(1_790_000_000_000 + index).toISOString(),
      actor: { type: 'recipient', name: 'Ana', email: 'ana@example.test' },
      ip: '192.0.2.1',
      userAgent: null,
      detail,
      prevHash,
    }
    const hash = hashEntry(entry)
    prevHash = hash
    return { ...entry, hash }
  })
}
const details = fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { minLength: 1, maxLength: 8 })

describe('the audit chain', () => {
  it('holds for whatever was recorded, also after a round trip through JSON', () => {
    fc.assert(
      fc.property(details, (list) => {
        const chain = chainOf(list)
        expect(checkChain(documentId, JSON.parse(JSON.stringify(chain)), chain.length)).toBeUndefined()
      }),
    )
  })

  it('shows a changed, removed, swapped or cut-off entry, and a chain of another document', () => {
    const chain = chainOf([{ a: 1 }, { b: 2 }, { c: 3 }])
    const [first, second, third] = chain as [AuditEntry, AuditEntry, AuditEntry]
    expect(checkChain(documentId, [first, { ...second, detail: { b: 3 } }, third])).toEqual({
      seq: 2,
      problem: 'changed',
    })
    expect(checkChain(documentId, [first, third])).toEqual({ seq: 2, problem: 'missing' })
    expect(checkChain(documentId, [second, first, third])).toEqual({ seq: 1, problem: 'missing' })
    expect(checkChain(documentId, [first, second], 3)).toEqual({ seq: 3, problem: 'missing' })
    expect(checkChain('another', chain)).toEqual({ seq: 1, problem: 'not_linked' })
  })

  it('notices an entry that was rewritten together with its own hash', () => {
    const chain = chainOf([{ a: 1 }, { b: 2 }])
    const [first, second] = chain as [AuditEntry, AuditEntry]
    const forged = { ...first, ip: '203.0.113.9' }
    expect(checkChain(documentId, [{ ...forged, hash: hashEntry(forged) }, second])).toEqual({
      seq: 2,
      problem: 'not_linked',
    })
  })

  it('does not depend on the order in which an object was written', () => {
    expect(canonicalJson({ b: [1, { d: 1, c: null }], a: 'x' })).toBe(
      canonicalJson({ a: 'x', b: [1, { c: null, d: 1 }] }),
    )
  })
})
