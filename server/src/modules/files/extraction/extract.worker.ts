/** Reads the text of a file, in the limited child: what a hostile file breaks is this process. */
import type { TaskContext } from '#kernel/child/index.ts'
import { createEmitter, type Emit } from './blocks.ts'
import { decodeText } from './charset.ts'
import { detectKind, type Kind } from './detect-kind.ts'
import { ExtractionFailure } from './failure.ts'
import { emitDocx } from './formats/docx.ts'
import { emitEmail } from './formats/email.ts'
import { emitEpub } from './formats/epub.ts'
import { declaredCharset, emitHtml, type HtmlFacts } from './formats/html.ts'
import { emitOpenDocument } from './formats/opendocument.ts'
import { emitPptx } from './formats/pptx.ts'
import { emitCsv, emitJson, emitMarkdown, emitText } from './formats/text.ts'
import { emitXlsx } from './formats/xlsx.ts'
import { Zip } from './zip.ts'

interface Facts {
  kind: Kind
  title: string
  links: string[]
}

interface Input {
  name: string
  /** The charset that the server stated with it. */
  charset?: string
  /** A web page: its navigation is left out. */
  isPage?: boolean
}

interface Source extends Input {
  bytes: Uint8Array
  report(done: number, total: number): Promise<void>
  depth: number
}

const maxMailDepth = 3

export const tasks = {
  extract: async (input: Input, { body, write, progress }: TaskContext): Promise<Facts> => {
    const pieces: Uint8Array[] = []
    for await (const piece of body) pieces.push(piece)
    const { emit, count } = createEmitter((block) => write(Buffer.from(`${JSON.stringify(block)}\n`)))
    const report = (done: number, total: number) => progress({ done, total })
    const facts = await read({ ...input, bytes: new Uint8Array(Buffer.concat(pieces)), report, depth: 0 }, emit)
    if (count() === 0) throw new ExtractionFailure('no_text')
    return facts
  },
}

const read = async (source: Source, emit: Emit): Promise<Facts> => {
  const { bytes, name } = source
  let decoded: string | undefined
  const text = () => {
    decoded ??= decodeText(bytes, source.charset ?? declaredCharset(bytes))
    return decoded
  }
  const kind = detectKind(bytes, { name, isPage: source.isPage, text })
  // The two with large libraries are loaded when they are needed: most files are neither.
  const readers: Record<Kind, () => Promise<unknown>> = {
    pdf: async () => (await import('./formats/pdf.ts')).emitPdf(bytes, emit, source.report),
    docx: () => emitDocx(new Zip(bytes), emit),
    pptx: () => emitPptx(new Zip(bytes), emit),
    xlsx: () => emitXlsx(new Zip(bytes), emit),
    opendocument: () => emitOpenDocument(new Zip(bytes), emit),
    epub: () => emitEpub(new Zip(bytes), emit),
    html: async () =>
      source.isPage ? (await import('./formats/page.ts')).emitPage(text(), emit) : emitHtml(text(), emit),
    markdown: () => emitMarkdown(text(), emit),
    csv: () => emitCsv(text(), emit),
    json: () => emitJson(text(), emit),
    email: () =>
      emitEmail(bytes, emit, (attached, attachedName, emitAttached) =>
        readAttachment({ ...source, bytes: attached, name: attachedName }, emitAttached),
      ),
    text: () => emitText(text(), emit),
  }
  const { title, links = [] } = ((await readers[kind]()) ?? { title: '' }) as HtmlFacts
  return { kind, title, links }
}

/** An attachment that cannot be read leaves the rest of the mail readable. */
const readAttachment = async (source: Source, emit: Emit): Promise<void> => {
  if (source.depth >= maxMailDepth) return
  try {
    await read({ ...source, depth: source.depth + 1 }, emit)
  } catch (problem) {
    if ((problem as ExtractionFailure).code === 'too_much_text') throw problem
  }
}
