/** Finds the kind of a file by its content. A name is a hint only between kinds of plain text. */
import { ExtractionFailure } from './failure.ts'
import { Zip } from './zip.ts'

export type Kind =
  | 'pdf'
  | 'docx'
  | 'pptx'
  | 'xlsx'
  | 'opendocument'
  | 'epub'
  | 'html'
  | 'markdown'
  | 'csv'
  | 'json'
  | 'email'
  | 'text'

interface Hints {
  name: string
  /** It was fetched from the web. */
  isPage?: boolean | undefined
  text: () => string
}

export const detectKind = (bytes: Uint8Array, { name, isPage = false, text }: Hints): Kind => {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 4096))
  if (/^(\xef\xbb\xbf)?\s{0,16}%PDF-\d/.test(head.toString('latin1', 0, 64))) return 'pdf'
  if (head.subarray(0, 4).equals(Buffer.from('PK\x03\x04', 'latin1'))) return kindOfZip(new Zip(bytes))
  if (isBinary(head)) throw new ExtractionFailure('unsupported')
  return kindOfText(text(), { name, isPage })
}

const kindOfZip = (zip: Zip): Kind => {
  const mimetype = zip.has('mimetype') ? (zip.text('mimetype') ?? '').trim() : ''
  if (mimetype === 'application/epub+zip') return 'epub'
  if (mimetype.startsWith('application/vnd.oasis.opendocument.')) return 'opendocument'
  if (zip.has('word/document.xml')) return 'docx'
  if (zip.has('ppt/presentation.xml')) return 'pptx'
  if (zip.has('xl/workbook.xml')) return 'xlsx'
  throw new ExtractionFailure('unsupported')
}

const signatures = [
  '\x89PNG',
  '\xff\xd8\xff',
  'GIF8',
  'RIFF',
  'OggS',
  'fLaC',
  'ID3',
  '\x1a\x45\xdf\xa3',
  '\x7fELF',
  'MZ',
  '\x1f\x8b',
  'BZh',
  '7z\xbc\xaf',
  'Rar!',
  '\xd0\xcf\x11\xe0',
  'SQLite format 3',
]

/** UTF-16 has zeros too, but in a steady pattern and rarely two in a row. */
const isBinary = (head: Buffer): boolean => {
  const start = head.toString('latin1', 0, 16)
  if (signatures.some((signature) => start.startsWith(signature))) return true
  if (head[0] === 0xff && head[1] === 0xfe) return false
  if (head[0] === 0xfe && head[1] === 0xff) return false
  let controls = 0
  let doubleZeros = 0
  for (const [index, byte] of head.entries()) {
    if (byte === 0 && head[index + 1] === 0) doubleZeros += 1
    if (byte < 0x20 && byte !== 0 && ![0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(byte)) controls += 1
  }
  return doubleZeros > head.length / 50 || controls > head.length / 30
}

const emailHeader =
  /^(from|received|return-path|date|subject|message-id|mime-version|delivered-to|to|x-[\w-]+|content-type|dkim-signature|reply-to): ?\S/i

/** HTML may leave out its outer tags; a page then begins with one of these (WHATWG, MIME sniffing). */
const innerTag = /^<(!--|script|iframe|h1|div|font|table|a|style|title|b|br|p|meta|link|article|main|section)[\s>-]/i

const kindOfText = (text: string, { name, isPage }: { name: string; isPage: boolean }): Kind => {
  const start = text.slice(0, 4096).trimStart()
  if (/^(<\?xml[^>]*>\s*)?(<!--[\s\S]{0,2000}?-->\s*)?<(!doctype html|html|head|body)\b/i.test(start)) return 'html'
  const headers = start.split('\n', 12).filter((line) => emailHeader.test(line)).length
  if (headers >= 3 && emailHeader.test(start)) return 'email'
  if (/^[[{]/.test(start) && isJson(text)) return 'json'
  if (/\.(md|markdown|mdx)$/i.test(name)) return 'markdown'
  if ((isPage || /\.x?html?$/i.test(name)) && innerTag.test(start)) return 'html'
  if (/\.(csv|tsv)$/i.test(name)) return 'csv'
  return 'text'
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
