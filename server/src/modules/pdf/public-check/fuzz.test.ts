/**
 * Random revisions after a seal, unsigned or signed by somebody else: whatever is taken for harmless must be drawn as
 * before, by two readers.
 */
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { expect, it } from 'vitest'
import {
  appendRevision,
  fieldParts,
  type Part,
  type RevisionShape,
  type Structure,
  signRevision,
  someoneElse,
  streamText,
  structureOf,
  withEntry,
} from '#test/harness/pdf-revisions.ts'
import { startSealDesk } from '#test/harness/seals.ts'
import { startPoppler } from '#test/peers/poppler.ts'
import { readSignatures } from '../verify/read-signatures.ts'

const desk = await startSealDesk()
const poppler = startPoppler()
const sign = await someoneElse()
const sealed = await Promise.all(
  ['chromium', 'libreoffice', 'mutool', 'pdf-lib', 'qpdf'].map((name) =>
    desk.seal([readFileSync(new URL(`../../../../test/harness/producers/${name}.pdf`, import.meta.url))]),
  ),
)

/** Written again or new: the object, and what is changed in it. `X` is a drawing that the file gets. */
const targets = ['page', 'last page', 'node', 'root', 'form', 'contents', 'resources', 'new'] as const
const edits = [
  ['Contents', 'X'],
  ['Kids', '[X]'],
  ['Rotate', '90'],
  ['CropBox', '[0 0 100 100]'],
  ['MediaBox', '[0 0 200 200]'],
  ['UserUnit', '2'],
  ['Resources', '<< /Font << >> >>'],
  ['Annots', '[X]'],
  ['AcroForm', 'X'],
  ['Type', '/page'],
  ['Pages', 'X'],
  ['NeedAppearances', 'true'],
  ['Metadata', 'X'],
  ['OCProperties', '<< /D << /BaseState /OFF >> >>'],
  ['SigFlags', '1'],
] as const
const looks = [
  '/AP << /N X >>',
  '/Rect [40 40 300 300] /AP << /N X >>',
  '/Rect [9 9 9 9]',
  '/MK << /BG [0] >>',
  '/AS /N',
  '/A << /S /Named >>',
  '/T (Seal)',
  '/Kids [X]',
  '/F 4',
]
const pageLooks = ['/Rotate 90', '/Contents X', '/PZ 2', '/AA << >>']
const shapes: RevisionShape[] = [
  { table: 'stream' },
  { table: 'hybrid' },
  { before: '% hm\n' },
  { prev: 12 },
  { size: 5 },
  { after: '\n' },
  { after: 'x' },
]

/** Mostly nothing, so that a few mutants have only one thing that is wrong, or none. */
const rarely = <Value>(nothing: Value, ...others: Value[]) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(nothing) }, { weight: 2, arbitrary: fc.constantFrom(...others) })

const change = fc.record({ target: fc.constantFrom(...targets), edit: fc.constantFrom(...edits) })
const mutation = fc.record({
  file: fc.nat(4),
  isSigned: fc.oneof({ weight: 2, arbitrary: fc.constant(true) }, fc.constant(false)),
  changes: fc.array(change, { maxLength: 1 }),
  look: rarely('', ...looks),
  pageLook: rarely('', ...pageLooks),
  shape: rarely({}, ...shapes),
})
type Mutation = typeof mutation extends fc.Arbitrary<infer Value> ? Value : never

const numberOf = (structure: Structure, target: Mutation['changes'][number]['target']): number => {
  const { pages, node, root, form, size, text } = structure
  const [first = 0] = pages
  const refIn = (key: string): number => Number(new RegExp(`/${key} \\[? ?(\\d+) 0 R`).exec(text(first))?.[1] ?? first)
  return {
    page: first,
    'last page': pages.at(-1) ?? first,
    node,
    root,
    form,
    contents: refIn('Contents'),
    resources: refIn('Resources'),
    new: size + 8,
  }[target]
}

const mutate = async ({ file, isSigned, changes, look, pageLook, shape }: Mutation): Promise<Buffer> => {
  const base = sealed[file] ?? Buffer.alloc(0)
  const structure = await structureOf(base)
  const drawing = structure.size + 6
  const square = streamText('/Type /XObject /Subtype /Form /BBox [0 0 300 300]', '0 0 0 rg 20 20 200 200 re f')
  const named = (text: string): string => text.replaceAll('X', `${drawing} 0 R`)
  const field = fieldParts(structure, { field: named(look), page: named(pageLook) })
  const parts = new Map<number, string>(isSigned ? field.parts : [])
  for (const { target, edit } of changes) {
    const number = numberOf(structure, target)
    const [key, value] = edit
    const old = parts.get(number) ?? (target === 'new' ? '<< >>' : structure.text(number))
    parts.set(number, old.includes('stream') ? square : withEntry(old, key, named(value)))
  }
  const usesDrawing = [...parts.values()].some((text) => text.includes(`${drawing} 0 R`))
  const all: Part[] = [...parts, ...(usesDrawing ? [[drawing, square] as const] : [])]
  return isSigned
    ? signRevision(base, all, { sign, signature: field.signature }, shape)
    : appendRevision(base, all, shape)
}

/** True when the changes after the seal are taken for harmless, but that the seal allows none. */
const isAccepted = async (file: Buffer): Promise<boolean> => {
  const { signatures } = await readSignatures(file)
  const isHarmless = ({ isIntact, changes }: (typeof signatures)[number]) =>
    isIntact && changes.every(({ kind }) => kind === 'signature_added')
  return signatures.length > 0 && signatures.every(isHarmless)
}

/** The drawing operations of another reader, without the names it gives to things. */
const drawnByPdfJs = async (file: Buffer): Promise<string> => {
  const pdf = await getDocument({ data: new Uint8Array(file), verbosity: 0 }).promise
  const pages = await Promise.all(
    Array.from({ length: pdf.numPages }, async (_, index) => {
      const page = await pdf.getPage(index + 1)
      const { fnArray, argsArray } = await page.getOperatorList()
      return [page.view, page.rotate, page.userUnit, fnArray, argsArray]
    }),
  )
  await pdf.loadingTask.destroy()
  return JSON.stringify(pages).replace(/"[gp]?_?d\d+[^"]*"/g, '""')
}

it('finds every random revision that changes a page, with any signer', { timeout: 120_000 }, async () => {
  const counts = { accepted: 0, changed: 0 }
  for (const [index, one] of fc.sample(mutation, { seed: 36, numRuns: 90 }).entries()) {
    const file = await mutate(one)
    const before = sealed[one.file] ?? Buffer.alloc(0)
    const accepted = await isAccepted(file)
    if (!accepted && index % 10 > 0) continue
    const isSame = poppler.pages(file).equals(poppler.pages(before))
    if (!accepted) counts.changed += Number(!isSame)
    else {
      counts.accepted += 1
      expect(isSame, JSON.stringify(one)).toBe(true)
      expect(await drawnByPdfJs(file), JSON.stringify(one)).toBe(await drawnByPdfJs(before))
    }
  }
  // Both sides of the line were tried.
  expect(counts.accepted).toBeGreaterThan(3)
  expect(counts.changed).toBeGreaterThan(3)
})
