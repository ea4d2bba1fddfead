/** Sealed files that were changed in one thing: the strict reader proves nothing about it, and the second reader finds it. */
import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { PDF } from '@libpdf/core'
import { describe, expect, it } from 'vitest'
import { rawPdf } from '#test/harness/raw-pdf.ts'
import { type DrawnField, drawFields } from '../draw/draw-fields.ts'
import { createTextPen } from '../draw/draw-text.ts'
import { normalise } from '../normalise/normalise.ts'
import { ownPages } from '../read/load-pdf.ts'
import { unpack } from '../strict/filters.ts'
import { type FoundPage, pagesOf } from '../strict/page-tree.ts'
import { openStrict, type StrictFile } from '../strict/strict-file.ts'
import type { Dict, Value } from '../strict/syntax.ts'
import { array, entriesOf, itemsOf, name, number, numbers, type Resolve, ref, requireDict } from '../strict/values.ts'
import { plainCopy } from '../strict/write.ts'
import { compareDrawn } from './compare-drawn.ts'
import { findProven, type ShownFile } from './proven-pages.ts'
import { readDrawn } from './read-drawn.ts'
import { SameObjects } from './same-objects.ts'

const stream = (entries: string, data: string): string =>
  `<< ${entries} /Length ${data.length} >>\nstream\n${data}\nendstream`
const page = (first: number): string =>
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 400] /Contents ${first} 0 R /Resources << /Font << /F1 ${first + 1} 0 R >> /XObject << /P ${first + 2} 0 R /D ${first + 3} 0 R >> >> >>`
const parts = (first: number, text: string, font: string): [number, string][] => [
  [first, stream('', `BT /F1 12 Tf 50 300 Td (${text}) Tj ET q 9 0 0 9 50 200 cm /P Do Q /D Do`)],
  [first + 1, `<< /Type /Font /Subtype /Type1 /BaseFont /${font} >>`],
  [
    first + 2,
    stream('/Subtype /Image /Width 2 /Height 1 /ColorSpace /DeviceRGB /BitsPerComponent 8', text.slice(0, 6)),
  ],
  [first + 3, stream('/Subtype /Form /BBox [0 0 99 99]', '0 0 9 9 re f')],
]
const upload = rawPdf([
  [1, '<< /Type /Catalog /Pages 2 0 R >>'],
  [2, '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>'],
  [3, page(10)],
  [4, page(20)],
  ...parts(10, 'Pay 10 EUR', 'Helvetica'),
  ...parts(20, 'And 10 more', 'Courier'),
])

const field: DrawnField = {
  ...{ page: 1, x: 0.5, y: 0.5, width: 0.4, height: 0.1 },
  signerName: 'Bob',
  kind: 'text',
  shown: { text: 'Bob' },
}
const sealOf = async (file: Uint8Array, fields: readonly DrawnField[] = [field]): Promise<Buffer> => {
  const pdf = await PDF.load(file)
  drawFields({ pdf, pen: createTextPen(pdf), imageAt: () => undefined }, ownPages(pdf), fields)
  return Buffer.from(await pdf.save({ subsetFonts: true }))
}
const { bytes } = await normalise(upload)
const sealed = await sealOf(bytes)
const drawn = await readDrawn(bytes)

const check = async (file: Buffer, more: Partial<ShownFile> = {}) => {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const proof = findProven([{ bytes, sha256, before: 0, count: 2, fields: [field], ...more }], openStrict(file))
  const { proven = new Set() } = proof ?? {}
  return { proven: [...proven], result: await compareDrawn(drawn, file, [field], { isStrict: true, proof }) }
}

const pagesIn = (file: StrictFile): FoundPage[] =>
  pagesOf(file, requireDict(file.resolve(file.trailer.get('Root')), 'its root'), 9)

type Change = (file: StrictFile, page: FoundPage, other: FoundPage | undefined) => [Value | undefined, Value]

/** The sealed file with one of its objects changed. */
const forge = (change: Change, at: number): Buffer => {
  const file = openStrict(sealed)
  const pages = pagesIn(file)
  const [one] = pages.splice(at - 1, 1)
  if (!one) throw new Error('There is no such page.')
  const [to, value] = change(file, one, pages[0])
  if (to?.kind !== 'ref') throw new Error('It is no object of its own.')
  return plainCopy({ ...file, get: (wanted) => (wanted === to.number ? value : file.get(wanted)) })
}

const withEntry = (entries: Dict, key: string, value: Value): Value => ({
  kind: 'dict',
  entries: new Map([...entries, [key, value]]),
})
const pageEntry =
  (key: string, value: Value): Change =>
  (_file, { number, entries }) => [ref(number), withEntry(entries, key, value)]
const rewritten =
  (find: (file: StrictFile, page: FoundPage) => Value | undefined, edit: (text: string) => string): Change =>
  (file, page) => {
    const to = find(file, page)
    const before = file.resolve(to)
    if (before?.kind !== 'stream') throw new Error('There is no stream.')
    const text = edit(unpack(before, file.resolve).toString('latin1'))
    const entries = new Map([...before.entries, ['Filter', name('FlateDecode')] as const])
    return [to, { kind: 'stream', entries, data: deflateSync(Buffer.from(text, 'latin1')) }]
  }
const resource =
  (category: string, key: string) =>
  ({ resolve }: StrictFile, page: FoundPage | undefined) =>
    entriesOf(resolve(entriesOf(resolve(page?.inherited('Resources')))?.get(category)))?.get(key)
const contents = ({ resolve }: StrictFile, { entries }: FoundPage): Value | undefined => {
  const found = resolve(entries.get('Contents'))
  return found?.kind === 'array' ? found.items[1] : entries.get('Contents')
}
const added = ({ resolve }: StrictFile, { entries }: FoundPage): Value | undefined =>
  itemsOf(resolve(entries.get('Contents')))[3]
const swapped: Change = ({ resolve }, { number, entries, inherited }, other) => {
  const file = { resolve } as StrictFile
  const fonts = entriesOf(resolve(entriesOf(resolve(inherited('Resources')))?.get('Font'))) ?? new Map()
  const all = requireDict(resolve(inherited('Resources')), 'resources')
  const font = resource('Font', 'F1')(file, other) ?? name('None')
  return [ref(number), withEntry(entries, 'Resources', withEntry(all, 'Font', withEntry(fonts, 'F1', font)))]
}
const inTree =
  (edit: (tree: Dict) => Value): Change =>
  ({ resolve }, { entries }) => [entries.get('Parent'), edit(requireDict(resolve(entries.get('Parent')), 'the tree'))]

describe('a page of a sealed file', () => {
  it('is proven by the strict reader alone, with fields and without', async () => {
    expect(await check(sealed)).toEqual({ proven: [1, 2], result: { pages: 2 } })
  })

  it('is proven when what was stored plainly is packed', async () => {
    const packed = forge(
      rewritten(resource('XObject', 'P'), (text) => text),
      2,
    )
    expect(await check(packed)).toEqual({ proven: [1, 2], result: { pages: 2 } })
  })

  it.each([1, 2])('is caught by the second reader with something changed on page %i', async (at) => {
    const changes: Record<string, Change> = {
      'a letter': rewritten(contents, (text) => text.replace('10', '99')),
      'something more': rewritten(contents, (text) => `${text} 0 0 9 9 re f`),
      'the font': (file, page) => {
        const to = resource('Font', 'F1')(file, page)
        return [to, withEntry(requireDict(file.resolve(to), 'a font'), 'BaseFont', name('Times-Roman'))]
      },
      'the font of a name': swapped,
      'a picture': rewritten(resource('XObject', 'P'), (text) => `x${text.slice(1)}`),
      'a form': rewritten(resource('XObject', 'D'), (text) => text.replace('9', '8')),
      'its size': pageEntry('MediaBox', numbers([0, 0, 400, 300])),
      'its visible part': pageEntry('CropBox', numbers([0, 0, 400, 300])),
      'its turn': pageEntry('Rotate', number(90)),
      'its unit': pageEntry('UserUnit', number(2)),
    }
    for (const [what, change] of Object.entries(changes)) {
      const { proven, result } = await check(forge(change, at))
      expect(proven, what).toEqual([3 - at])
      expect(result, what).toEqual({ page: at, why: expect.stringMatching(/content|outside/) })
    }
  })

  it.each<[string, Change]>([
    ['the order of pages', inTree((tree) => withEntry(tree, 'Kids', array([...itemsOf(tree.get('Kids'))].reverse())))],
    ['a turn that pages inherit', inTree((tree) => withEntry(tree, 'Rotate', number(90)))],
  ])('is caught with another of %s', async (_what, change) => {
    expect(await check(forge(change, 1))).toEqual({ proven: [], result: { page: 1, why: 'content' } })
  })

  it.each<[string, Change]>([
    ['after its field', rewritten(added, (text) => `${text} 0 0 9 9 re f`)],
    ['in a field that is not cut off', rewritten(added, (text) => text.replace(/\bW\b/, ''))],
    ['in a field that is moved', rewritten(added, (text) => `1 0 0 1 0 50 cm ${text}`)],
    ['in a field that is cut off elsewhere', rewritten(added, (text) => text.replace(/\bre\b/, 're 0 0 400 400 re'))],
    ['as a picture of its own', rewritten(added, (text) => `${text} BI /W 1 /H 1 /BPC 8 /CS /G ID x EI`)],
    [
      'before it',
      rewritten(
        ({ resolve }, { entries }) => itemsOf(resolve(entries.get('Contents')))[2],
        () => '0 0 9 9 re f Q',
      ),
    ],
  ])('is caught with something drawn %s', async (_what, change) => {
    const { proven, result } = await check(forge(change, 1))
    expect(proven).toEqual([2])
    expect(result).toMatchObject({ page: 1 })
  })

  it('is caught where a field’s place is not that of its value', async () => {
    const { proven } = await check(sealed, { fields: [{ ...field, y: 0.6 }] })
    expect(proven).toEqual([2])
  })

  it('is left to the second reader where the original is not the file that was shown', async () => {
    expect(await check(sealed, { sha256: 'f'.repeat(64) })).toEqual({ proven: [], result: { pages: 2 } })
    expect((await check(sealed, { count: 3 })).proven).toEqual([])
  })
})

describe('two objects', () => {
  const filesOf = (one: Record<number, Value>, other: Record<number, Value>) => {
    const resolveIn =
      (file: Record<number, Value>): Resolve =>
      (value) =>
        value?.kind === 'ref' ? file[value.number] : value
    return new SameObjects(resolveIn(one), resolveIn(other))
  }

  it('are the same under other numbers, and when they lead back to themselves', () => {
    const objects = filesOf(
      { 1: array([ref(1), number(5)]) },
      { 7: array([ref(8), number(5)]), 8: array([ref(7), number(5)]) },
    )
    expect(objects.areSame([[ref(1), ref(7)]])).toBe(true)
  })

  it('stay different when they are compared again', () => {
    const objects = filesOf({ 1: array([ref(2)]), 2: number(10) }, { 1: array([ref(2)]), 2: number(99) })
    expect(objects.areSame([[ref(1), ref(1)]])).toBe(false)
    expect(objects.areSame([[ref(1), ref(1)]])).toBe(false)
  })
})
