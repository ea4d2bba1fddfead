/** Lists what was changed in a PDF after it was signed, by comparing the signed revision with the file as it is now. */
import { createHash } from 'node:crypto'
import { PDF, PdfArray, PdfDict, type PdfObject, PdfRef, PdfStream } from '@libpdf/core'
import { inherited, resolverOf } from '../read/page-attributes.ts'

export type Change =
  | { kind: 'pages_added' | 'pages_removed'; count: number }
  | { kind: 'page_changed' | 'annotations_changed'; page: number }
  /**
   * `security_store`: certificates and revocation lists, which signatures may be given later. `signature_added`: where the
   * signature before it allows none.
   */
  | { kind: 'signature_added' | 'form' | 'metadata' | 'security_store' | 'bytes_appended' | 'other' | 'unreadable' }

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
    const isShownAlike = digest[0](shownBy(before, dicts[0])) === digest[1](shownBy(now, dicts[1]))
    const isMarkedAlike = digest[0](dicts[0].get('Annots')) === digest[1](dicts[1].get('Annots'))
    return [
      ...(isShownAlike ? [] : [{ kind: 'page_changed' as const, page: index + 1 }]),
      ...(isMarkedAlike ? [] : [{ kind: 'annotations_changed' as const, page: index + 1 }]),
    ]
  })
  if (added === 0) return changes
  return [...changes, { kind: added > 0 ? 'pages_added' : 'pages_removed', count: Math.abs(added) }]
}

/** A page without its annotations, and with what it inherits: a change of the page tree changes every page below. */
const shownBy = (pdf: PDF, page: PdfDict): PdfDict => {
  const shown = new PdfDict([...page].filter(([key]) => key.value !== 'Parent' && key.value !== 'Annots'))
  for (const name of ['Resources', 'MediaBox', 'CropBox', 'Rotate']) {
    const value = inherited(pdf, page, name)
    if (value) shown.set(name, value)
  }
  return shown
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

/** Equal for objects that say the same, wherever they are in the file. */
const digester = (pdf: PDF): ((value: PdfObject | undefined) => string) => {
  const pages = new Map<PdfObject, number>(pdf.getPages().map(({ dict }, index) => [dict, index]))
  return (value) => digestOf(value, { resolve: resolverOf(pdf), pages, seen: new Map() })
}

interface Walk {
  resolve: ReturnType<typeof resolverOf>
  /** Pages of the document are compared on their own. What only calls itself a page is part of what refers to it. */
  pages: ReadonlyMap<PdfObject, number>
  /** Numbered as they are met: each object is read once, however many others refer to it. */
  seen: Map<PdfObject, number>
}

/** Text and bytes are hashed as they are; objects are taken apart first. */
type Part = PdfObject | string | Uint8Array | undefined

/** The digest of an object and everything it refers to. With a list instead of recursion, since outlines are long chains. */
const digestOf = (value: PdfObject | undefined, walk: Walk): string => {
  const hash = createHash('sha256')
  const waiting: Part[] = [value]
  while (waiting.length > 0) {
    const part = waiting.pop()
    if (typeof part === 'string' || part instanceof Uint8Array) hash.update(part)
    else for (const inner of partsOf(part, walk).toReversed()) waiting.push(inner)
  }
  return hash.digest('hex')
}

const partsOf = (given: PdfObject | undefined, { resolve, pages, seen }: Walk): Part[] => {
  const value = given instanceof PdfRef ? resolve(given) : given
  if (!(value instanceof PdfDict || value instanceof PdfArray)) return [`${describe(value)} `]
  const [page, before] = [pages.get(value), seen.get(value)]
  if (page !== undefined) return [`page${page} `]
  if (before !== undefined) return [`seen${before} `]
  seen.set(value, seen.size)
  return value instanceof PdfArray ? ['[', ...value, ']'] : ['<', ...entriesOf(value), '>']
}

/** No key is left out: a drawing may have any name. Lengths and quotes keep one entry from looking like two. */
const entriesOf = (dict: PdfDict): Part[] => {
  const sorted = [...dict].sort(([one], [other]) => (one.value < other.value ? -1 : 1))
  const entries = sorted.flatMap(([key, value]): Part[] => [`/${JSON.stringify(key.value)} `, value])
  return dict instanceof PdfStream ? [...entries, `stream${dict.data.length} `, dict.data] : entries
}

const describe = (value: PdfObject | null | undefined): string => {
  if (value?.type === 'number' || value?.type === 'bool') return `${value.type}${value.value}`
  if (value?.type === 'name') return `name${JSON.stringify(value.value)}`
  return value?.type === 'string' ? `string${Buffer.from(value.bytes).toString('hex')}` : 'null'
}
