/** What was changed in a PDF after it was signed, told by comparing the signed revision with the file as it is now. */
import { createHash } from 'node:crypto'
import { PDF, PdfArray, PdfDict, type PdfObject, PdfRef, PdfStream } from '@libpdf/core'
import { resolverOf } from '../pdf/page-attributes.ts'

export type Change =
  | { kind: 'pages_added' | 'pages_removed'; count: number }
  | { kind: 'page_changed' | 'annotations_changed'; page: number }
  /** `security_store`: certificates and revocation lists, which signatures may be given later. */
  | { kind: 'form' | 'metadata' | 'security_store' | 'other' | 'unreadable' }

const maxListed = 100

export const changesSince = async (signed: Buffer, now: PDF): Promise<Change[]> => {
  const before = await PDF.load(signed).catch(() => undefined)
  if (!before) return [{ kind: 'unreadable' }]
  return [...pageChanges(before, now), ...catalogChanges(before, now)].slice(0, maxListed)
}

const pageChanges = (before: PDF, now: PDF): Change[] => {
  const [old, current] = [before.getPages(), now.getPages()]
  const digest = [digester(before), digester(now)] as const
  const added = current.length - old.length
  const changes = old.slice(0, current.length).flatMap((page, index): Change[] => {
    const dicts = [page.dict, current[index]?.dict ?? new PdfDict()] as const
    const differs = (part: (dict: PdfDict) => PdfObject | undefined): boolean =>
      digest[0](part(dicts[0])) !== digest[1](part(dicts[1]))
    return [
      ...(differs((dict) => without(dict, ['Parent', 'Annots']))
        ? [{ kind: 'page_changed' as const, page: index + 1 }]
        : []),
      ...(differs((dict) => dict.get('Annots')) ? [{ kind: 'annotations_changed' as const, page: index + 1 }] : []),
    ]
  })
  if (added === 0) return changes
  return [...changes, { kind: added > 0 ? 'pages_added' : 'pages_removed', count: Math.abs(added) }]
}

const named = { AcroForm: 'form', DSS: 'security_store', Metadata: 'metadata' } as const

const catalogChanges = (before: PDF, now: PDF): Change[] => {
  const [old, current] = [before.getCatalog(), now.getCatalog()]
  const digest = [digester(before), digester(now)] as const
  const keys = new Set([...old.keys(), ...current.keys()].map(({ value }) => value))
  keys.delete('Pages')
  const kinds = [...keys].flatMap((key) =>
    digest[0](old.get(key)) === digest[1](current.get(key)) ? [] : [named[key as keyof typeof named] ?? 'other'],
  )
  return [...new Set(kinds)].map((kind) => ({ kind }) as Change)
}

const without = (dict: PdfDict, keys: readonly string[]): PdfDict =>
  new PdfDict([...dict].filter(([key]) => !keys.includes(key.value)))

/** Equal for objects that say the same, wherever they are in the file. */
const digester = (pdf: PDF): ((value: PdfObject | undefined) => string) => {
  const words = wordsOf(pdf)
  return (value) => {
    const hash = createHash('sha256')
    for (const word of words(value, new Set())) hash.update(word)
    return hash.digest('hex')
  }
}

/** What an object and everything it refers to say. Other pages are not entered, nor circles. */
const wordsOf = (pdf: PDF) => {
  const resolve = resolverOf(pdf)
  return function* words(given: PdfObject | undefined, path: ReadonlySet<PdfObject>): Generator<string | Uint8Array> {
    const value = given instanceof PdfRef ? resolve(given) : given
    const isOtherPage = path.size > 0 && value instanceof PdfDict && value.getName('Type')?.value === 'Page'
    if (!(value instanceof PdfDict || value instanceof PdfArray) || path.has(value) || isOtherPage) {
      yield `${describe(value)} `
      return
    }
    const deeper = new Set(path).add(value)
    yield '['
    if (value instanceof PdfArray) for (const item of value) yield* words(item, deeper)
    else yield* entries(value, (item) => words(item, deeper))
    yield ']'
  }
}

function* entries(
  dict: PdfDict,
  words: (value: PdfObject) => Iterable<string | Uint8Array>,
): Generator<string | Uint8Array> {
  const sorted = [...dict].sort(([one], [other]) => (one.value < other.value ? -1 : 1))
  for (const [key, value] of sorted) {
    if (key.value === 'Parent') continue
    yield `/${key.value} `
    yield* words(value)
  }
  if (dict instanceof PdfStream) yield dict.data
}

const describe = (value: PdfObject | null | undefined): string => {
  if (value?.type === 'number' || value?.type === 'bool' || value?.type === 'name') return `${value.type}${value.value}`
  if (value?.type === 'string') return `string${Buffer.from(value.bytes).toString('hex')}`
  return 'null'
}
