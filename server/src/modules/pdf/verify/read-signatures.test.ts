/** Revisions that our strict reader must not understand better than other readers do: what they read differently is a change. */
import { describe, expect, it } from 'vitest'
import {
  fieldParts,
  type Part,
  type RevisionShape,
  signAlone,
  signRevision,
  someoneElse,
  structureOf,
} from '#test/harness/pdf-revisions.ts'
import { plainPdf } from '#test/harness/pdfs.ts'
import { readSignatures } from './read-signatures.ts'

const sign = await someoneElse()
const signed = await signAlone(await plainPdf([{}, {}]), { sign }, { field: '/T (First)' })
const structure = await structureOf(signed)
const { parts, signature } = fieldParts(structure)

/** True when the first signature says that nothing but another signature follows it. */
const isAccepted = async (revision: readonly Part[], shape: RevisionShape = {}): Promise<boolean> => {
  const { signatures } = await readSignatures(await signRevision(signed, revision, { sign, signature }, shape))
  expect(signatures.map(({ isIntact }) => isIntact)).toEqual([true, true])
  return signatures[0]?.changes.length === 0
}

const withText = (from: RegExp | string, to: string): Part[] =>
  parts.map(([number, text]) => [number, text.replace(from, to)])

describe('a later revision', () => {
  it('is read whatever usual spaces and numbers its program writes', async () => {
    expect(await isAccepted(parts)).toBe(true)
    expect(await isAccepted(withText(/\/Contents (\d+) 0 R/, '/Contents $1\r\n0\tR'))).toBe(true)
    expect(await isAccepted(withText('[0 0 400 600]', '[0.0 0.0 400.0 600.0]'))).toBe(true)
  })

  it.each([
    ['a no-break space', '$1\xa00 R'],
    ['a vertical tab', '$1 0\x0bR'],
    ['a zero byte', '$1\x000 R'],
    ['zeros in front', '000$1 0 R'],
  ])(
    'with %s in the reference to a page’s contents, which others don’t follow, is a change',
    async (_what, reference) => {
      expect(await isAccepted(withText(/(?<=\/Contents )(\d+) 0 R/, reference))).toBe(false)
    },
  )

  it.each(['.0', '.', '.00000000000000000001'])(
    'that tells the table before it as a fraction (%s), so that others search for objects, is a change',
    async (fraction) => {
      expect(await isAccepted(parts, { prev: `${structure.tableAt}${fraction}` })).toBe(false)
    },
  )

  it('whose field calls itself a page is a change', async () => {
    expect(await isAccepted(withText('/Type /Annot', '/Type /Page'))).toBe(false)
  })
})
