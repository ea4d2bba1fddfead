/** Appends revisions to a PDF by hand, in every shape that readers accept, and signs them with any key. */
import { createHash } from 'node:crypto'
import { PDF } from '@libpdf/core'
import { buildCms } from '#modules/pdf/cms/build-cms.ts'
import { keyFromPem } from '#modules/pdf/cms/load-key.ts'
import { makeCertificate } from '#modules/pdf/cms/make-certificate.ts'

/** An object: its number and what is written between `obj` and `endobj`. */
export type Part = readonly [number: number, text: string]

export interface RevisionShape {
  /** `hybrid`: a table of `listed` that points to a stream with the others, which only some readers look at first. */
  table?: 'table' | 'stream' | 'hybrid'
  listed?: readonly Part[]
  /** In the trailer, instead of what was there. */
  root?: number
  prev?: number | string
  size?: number
  /** Bytes before the first object. */
  before?: string
  after?: string
}

/** A file's structure, as a forger reads it. */
export interface Structure {
  root: number
  /** The node that the first page hangs on. */
  node: number
  pages: number[]
  form: number
  size: number
  tableAt: number
  /** The text that is written for an object. */
  text(number: number): string
}

export const structureOf = async (file: Buffer): Promise<Structure> => {
  const whole = file.toString('latin1')
  const text = (number: number): string => {
    const start = whole.lastIndexOf(`\n${number} 0 obj\n`)
    return whole.slice(whole.indexOf('\n', start + 1) + 1, whole.indexOf('\nendobj', start))
  }
  const last = (expression: RegExp): number => Number([...whole.matchAll(expression)].at(-1)?.[1])
  const root = last(/\/Root (\d+) 0 R/g)
  const refIn = (number: number, key: string): number =>
    Number(new RegExp(`/${key} (\\d+) 0 R`).exec(text(number))?.[1])
  const pages = (await PDF.load(file)).getPages().map(({ ref }) => ref.objectNumber)
  return {
    root,
    node: refIn(pages[0] ?? 0, 'Parent'),
    pages,
    form: refIn(root, 'AcroForm'),
    size: last(/\/Size (\d+)/g),
    tableAt: last(/startxref\s+(\d+)/g),
    text,
  }
}

const numberIn4 = (number: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(number)
  return bytes
}

export const streamText = (entries: string, data: string): string =>
  `<< ${entries} /Length ${data.length} >>\nstream\n${data}\nendstream`

/** `parts` in order, then what lists them. */
export const appendRevision = async (
  file: Buffer,
  parts: readonly Part[],
  shape: RevisionShape = {},
): Promise<Buffer> => {
  const { root, size, tableAt } = await structureOf(file)
  const written: Buffer[] = [file, Buffer.from(shape.before ?? '', 'latin1')]
  const position = (): number => written.reduce((sum, { length }) => sum + length, 0)
  const write = (some: readonly Part[]): Map<number, number> =>
    new Map(
      some.map(([number, text]) => {
        const at = position()
        written.push(Buffer.from(`${number} 0 obj\n${text}\nendobj\n`, 'latin1'))
        return [number, at]
      }),
    )
  const listed = write(shape.listed ?? [])
  const offsets = write(parts)
  const highest = Math.max(size - 1, ...offsets.keys(), ...listed.keys())
  const keys = `/Root ${shape.root ?? root} 0 R /Prev ${shape.prev ?? tableAt}`
  const kind = shape.table ?? 'table'
  const streamAt = position()
  if (kind !== 'table') {
    const number = highest + 1
    const rows = [...offsets, [number, streamAt] as const].toSorted(([one], [other]) => one - other)
    const data = Buffer.concat(rows.map(([, at]) => Buffer.concat([Buffer.from([1]), numberIn4(at), Buffer.from([0])])))
    const index = rows.map(([one]) => `${one} 1`).join(' ')
    const dict = `/Type /XRef /W [1 4 1] /Index [${index}] /Size ${number + 1} ${keys}`
    written.push(Buffer.from(`${number} 0 obj\n${streamText(dict, data.toString('latin1'))}\nendobj\n`, 'latin1'))
  }
  const at = kind === 'stream' ? streamAt : position()
  if (kind !== 'stream') {
    const rows = [...(kind === 'hybrid' ? listed : offsets)].toSorted(([one], [other]) => one - other)
    const table = rows.map(([number, offset]) => `${number} 1\n${String(offset).padStart(10, '0')} 00000 n \n`)
    const more = kind === 'hybrid' ? ` /XRefStm ${streamAt}` : ''
    const trailer = `<< /Size ${shape.size ?? highest + 1} ${keys}${more}${infoIn(file)} >>`
    written.push(Buffer.from(`xref\n${table.join('') || '0 0\n'}trailer\n${trailer}\n`, 'latin1'))
  }
  written.push(Buffer.from(`startxref\n${at}\n%%EOF\n${shape.after ?? ''}`, 'latin1'))
  return Buffer.concat(written)
}

const infoIn = (file: Buffer): string => {
  const [info = ''] = [...file.toString('latin1').matchAll(/\/Info \d+ 0 R/g)].at(-1) ?? []
  return info && ` ${info}`
}

/** Makes the signature of these bytes. */
export type Sign = (content: Buffer) => Promise<Buffer>

/** With a key and a certificate of their own making. */
export const someoneElse = async (name = 'Somebody else'): Promise<Sign> => {
  const key = keyFromPem(await makeCertificate(new Date(), name))
  return (content) => buildCms(key, createHash('sha256').update(content).digest())
}

/** The parts of a signature beside its own dictionary. */
export interface SigningParts {
  sign: Sign
  /** Number of the signature's dictionary. */
  signature: number
  /** In its dictionary: its time. */
  more?: string
  format?: string
}

const room = 6_000

const timeNow = (): string => `/M (D:${new Date().toISOString().replace(/[-:T]|\.\d+/g, '')})`

/** Appends a revision that holds a signature over the whole file so far. */
export const signRevision = async (
  file: Buffer,
  parts: readonly Part[],
  { sign, signature, more = timeNow(), format = 'ETSI.CAdES.detached' }: SigningParts,
  shape: RevisionShape = {},
): Promise<Buffer> => {
  const blank = '0'.repeat(room)
  const dict = `<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /${format} /ByteRange [0 ${'9'.repeat(40)}] /Contents <${blank}> ${more} >>`
  const unsigned = await appendRevision(file, [...parts, [signature, dict]], shape)
  const start = unsigned.lastIndexOf(`<${blank}>`)
  const end = start + room + 2
  const range = `[0 ${start} ${end} ${unsigned.length - end}`.padEnd(43)
  unsigned.write(range, unsigned.lastIndexOf('[0 99999'), 'latin1')
  const cms = await sign(Buffer.concat([unsigned.subarray(0, start), unsigned.subarray(end)]))
  unsigned.write(cms.toString('hex'), start + 1, 'latin1')
  return unsigned
}

/** The parts of a field that nobody sees, in the form and on the first page. */
export const fieldParts = (
  { pages, form, size, text }: Structure,
  { field = '', page = '' }: { field?: string; page?: string } = {},
): { parts: Part[]; signature: number } => {
  const [first = 0] = pages
  const [number, signature] = [size, size + 1]
  const annotated = withEntry(text(first), 'Annots', `[${listIn(text(first), 'Annots')} ${number} 0 R]`)
  const rect = field.includes('/Rect') ? '' : '/Rect [0 0 0 0]'
  const name = field.includes('/T ') ? '' : '/T (Later)'
  return {
    signature,
    parts: [
      [first, page ? annotated.replace(/>>\s*$/, `${page} >>`) : annotated],
      [form, withEntry(text(form), 'Fields', `[${listIn(text(form), 'Fields')} ${number} 0 R]`)],
      [
        number,
        `<< /FT /Sig ${name} /V ${signature} 0 R /Type /Annot /Subtype /Widget /F 132 /P ${first} 0 R ${rect} ${field} >>`,
      ],
    ],
  }
}

const listIn = (text: string, key: string): string => new RegExp(`/${key} \\[([^\\]]*)\\]`).exec(text)?.[1] ?? ''

export const withEntry = (text: string, key: string, value: string): string => {
  const bare = text.replace(new RegExp(`/${key} (?:\\[[^\\]]*\\]|\\d+ 0 R|[\\w./-]+|<<[^>]*>>)`), '')
  return bare.replace(/>>\s*$/, `/${key} ${value}\n>>`)
}

/** Later signed by somebody else, as their program should do it. */
export const signLater = async (
  file: Buffer,
  options: Omit<SigningParts, 'signature'>,
  look?: { field?: string; page?: string },
): Promise<Buffer> => {
  const { parts, signature } = fieldParts(await structureOf(file), look)
  return signRevision(file, parts, { ...options, signature })
}

/** A form with an invisible field for a file that has none, and a signature over it all. */
export const signAlone = async (
  file: Buffer,
  options: Omit<SigningParts, 'signature'>,
  look?: { field?: string; page?: string },
): Promise<Buffer> => {
  const { root, size, text } = await structureOf(file)
  const form = [size, '<< /Fields [] /SigFlags 3 >>'] as const
  const catalog = [root, withEntry(text(root), 'AcroForm', `${size} 0 R`)] as const
  return signLater(await appendRevision(file, [form, catalog]), options, look)
}
