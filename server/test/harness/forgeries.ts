/**
 * Updates that a forger appends to a sealed file so that some reader shows another page. The first six were once taken
 * for harmless, because our own reader didn't see the new page.
 */
import { type SecurityStore, storeUpdate } from '#modules/pdf/read/security-store.ts'
import { appendRevision, type Part, type Structure, streamText, structureOf, withEntry } from './pdf-revisions.ts'

type Forge = (file: Buffer, structure: Structure) => Promise<Buffer> | Buffer

/** A page with a black square, by the number of its drawing. */
const page = ({ node }: Structure, drawing: number, type = '/Type /Page'): string =>
  `<< ${type} /Parent ${node} 0 R /MediaBox [0 0 420 595] /Contents ${drawing} 0 R >>`
const square = streamText('', '0 0 0 rg 50 50 300 300 re f')
const kids = (pages: readonly (number | string)[]): string =>
  `[${pages.map((one) => (typeof one === 'number' ? `${one} 0 R` : one)).join(' ')}]`

/** One more page before the others. The number of pages that is told stays, so that a reader that skips it finds as many. */
const withFirst = (
  file: Buffer,
  { node, pages, text }: Structure,
  { first, parts }: { first: number | string; parts: Part[] },
): Promise<Buffer> => appendRevision(file, [[node, withEntry(text(node), 'Kids', kids([first, ...pages]))], ...parts])

const withNewPage = (file: Buffer, structure: Structure, type: string): Promise<Buffer> => {
  const { size } = structure
  const parts: Part[] = [
    [size, page(structure, size + 1, type)],
    [size + 1, square],
  ]
  return withFirst(file, structure, { first: size, parts })
}

export const firstSix: Record<string, Forge> = {
  'an untyped page': (file, structure) => withNewPage(file, structure, ''),
  'a duplicate kid': (file, structure) => withFirst(file, structure, { first: structure.pages[0] ?? 0, parts: [] }),
  'a hybrid table': (file, structure) => {
    const { pages, size, text } = structure
    const [first = 0] = pages
    const listed: Part[] = [
      [first, page(structure, size)],
      [size, square],
    ]
    // Our own reader lets the stream win, and finds the page as it was.
    return appendRevision(file, [[first, text(first)]], { table: 'hybrid', listed })
  },
  'a direct kid': (file, structure) => {
    const { size } = structure
    return withFirst(file, structure, { first: page(structure, size), parts: [[size, square]] })
  },
  'an indirect list of kids': (file, structure) => {
    const { node, size } = structure
    const parts: Part[] = [
      [size, `<< /Type /Pages /Parent ${node} 0 R /Kids ${size + 1} 0 R /Count 1 >>`],
      [size + 1, `[${size + 2} 0 R]`],
      [size + 2, page({ ...structure, node: size }, size + 3)],
      [size + 3, square],
    ]
    return withFirst(file, structure, { first: size, parts })
  },
  '/page in the wrong case': (file, structure) => withNewPage(file, structure, '/Type /page'),
}

export const forgeries: Record<string, Forge> = {
  ...firstSix,
  'another first page': (file, structure) => {
    const { pages, size } = structure
    return appendRevision(file, [
      [pages[0] ?? 0, page(structure, size)],
      [size, square],
    ])
  },
  'a first page that readers may not take for one': (file, structure) => {
    const { pages, size } = structure
    return appendRevision(file, [
      [pages[0] ?? 0, page(structure, size, '')],
      [size, square],
    ])
  },
  'a page with a repeated key': (file, structure) => {
    const { pages, size, text } = structure
    const [first = 0] = pages
    const twice = text(first).replace(/>>\s*$/, `/Contents ${size} 0 R >>`)
    return appendRevision(file, [
      [first, twice],
      [size, square],
    ])
  },
  'a table in a stream': (file, structure) => {
    const { pages, size } = structure
    const parts: Part[] = [
      [pages[0] ?? 0, page(structure, size)],
      [size, square],
    ]
    return appendRevision(file, parts, { table: 'stream' })
  },
  'a hybrid table that lists nothing': (file, structure) => {
    const { pages, size } = structure
    const parts: Part[] = [
      [pages[0] ?? 0, page(structure, size)],
      [size, square],
    ]
    return appendRevision(file, parts, { table: 'hybrid' })
  },
  'another tree of pages': (file, structure) => {
    const { root, size, text } = structure
    return appendRevision(file, [
      [root, withEntry(text(root), 'Pages', `${size} 0 R`)],
      [size, `<< /Type /Pages /Kids [${size + 1} 0 R] /Count 1 >>`],
      [size + 1, page({ ...structure, node: size }, size + 2)],
      [size + 2, square],
    ])
  },
  'another catalog': (file, structure) => {
    const { root, size, text } = structure
    const parts: Part[] = [
      [size, withEntry(text(root), 'Pages', `${size + 1} 0 R`)],
      [size + 1, `<< /Type /Pages /Kids [${size + 2} 0 R] /Count 1 >>`],
      [size + 2, page({ ...structure, node: size + 1 }, size + 3)],
      [size + 3, square],
    ]
    return appendRevision(file, parts, { root: size })
  },
  'pages that are too many for the size it tells': (file) => appendRevision(file, [], { size: 3 }),
  'a turned page': (file, { pages, text }) =>
    appendRevision(file, [[pages[0] ?? 0, withEntry(text(pages[0] ?? 0), 'Rotate', '90')]]),
  'a smaller page through its parents': (file, { node, text }) =>
    appendRevision(file, [[node, withEntry(text(node), 'CropBox', '[0 0 90 90]')]]),
  'a square drawn by an annotation': (file, { pages, size, text }) => {
    const [first = 0] = pages
    const look = streamText('/Type /XObject /Subtype /Form /BBox [0 0 300 300]', '0 0 0 rg 0 0 300 300 re f')
    return appendRevision(file, [
      [first, withEntry(text(first), 'Annots', `[${size} 0 R]`)],
      [size, `<< /Type /Annot /Subtype /Stamp /F 4 /Rect [50 50 350 350] /AP << /N ${size + 1} 0 R >> >>`],
      [size + 1, look],
    ])
  },
  'an end that readers repair': (file, structure) => {
    const [first = 0] = structure.pages
    const text = `${first} 0 obj\n${page(structure, structure.size)}\nendobj\n${structure.size} 0 obj\n${square}\nendobj\n`
    return Buffer.concat([file, Buffer.from(`${text}startxref\n99999999\n%%EOF\n`, 'latin1')])
  },
  'nothing but a comment': (file) => Buffer.concat([file, Buffer.from('% harmless\n')]),
  'one line break': (file) => Buffer.concat([file, Buffer.from('\n')]),
  'an empty revision': (file) => appendRevision(file, []),
  // In the very form in which we write ours, which these seals don't have.
  'an empty store of certificates': (file) => withStore(file, {}),
  'a store of certificates that are none': (file) => withStore(file, { certificates: [Buffer.from('PK\u0005\u0006')] }),
  'another revision of the certificates for later checks': async (file, { root, size, text }) =>
    appendRevision(file, [
      [root, withEntry(text(root), 'DSS', `${size} 0 R`)],
      [size, '<< >>'],
    ]),
}

/** As we append our own. */
const emptyStore = { certificates: [], ocsps: [], crls: [] }
export const withStore = async (file: Buffer, store: Partial<SecurityStore>): Promise<Buffer> =>
  Buffer.concat([file, await storeUpdate(file, { ...emptyStore, ...store })])

export const forge = async (name: string, file: Buffer): Promise<Buffer> =>
  (await forgeries[name]?.(file, await structureOf(file))) ?? file
