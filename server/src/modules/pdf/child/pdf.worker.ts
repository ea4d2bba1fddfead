/** Everything that reads a PDF runs here, in a limited child. */
import { createHash } from 'node:crypto'
import type { FieldProposal } from '@chancery/contract/signing/proposals.ts'
import type { TaskContext } from '#kernel/child/index.ts'
import { type Composed, type ComposeRequest, composePdf } from '../draw/compose-pdf.ts'
import { imageToPdf } from '../draw/image-page.ts'
import type { PreparedFile, PrepareOptions, ProposalHints, TaggedField, TextToWrite } from '../interface.ts'
import { normalise } from '../normalise/normalise.ts'
import type { Comparison } from '../proof/compare-drawn.ts'
import { formFieldsOf, inspectPdf } from '../read/inspect-pdf.ts'
import { loadPdf } from '../read/load-pdf.ts'
import { proposeFields } from '../read/propose-fields.ts'
import { readLines, textOfPages } from '../read/read-lines.ts'
import { storeUpdate } from '../read/security-store.ts'
import { type CheckedFile, readSignatures } from '../verify/read-signatures.ts'
import type { TextRefusal } from '../written/write-text.ts'

const readWhole = async (body: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const pieces: Uint8Array[] = []
  for await (const piece of body) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** Several files one after the other, each with its length before it. */
const partsOf = (whole: Buffer): Buffer[] => {
  const parts: Buffer[] = []
  for (let at = 0; at < whole.length; ) {
    const end = at + 8 + Number(whole.readBigUInt64BE(at))
    parts.push(whole.subarray(at + 8, end))
    at = end
  }
  return parts
}

/** The second reader of PDFs is loaded when it is first needed: most tasks do without it. */
const loadProof = () => import('../proof/check-sealed.ts')
const loadSecondReader = () => import('../proof/read-drawn.ts')

/** What is told beside the bytes. */
export type Prepared = Omit<PreparedFile, 'original'>

/** What is told of a text beside the bytes. */
export type Written = { fields: TaggedField[] } | { refusal: TextRefusal }

interface Compared extends Composed {
  comparison: Comparison
}

const compose = async (request: ComposeRequest, { body, progress, write }: TaskContext): Promise<Compared> => {
  const parts = partsOf(await readWhole(body))
  const files = parts.slice(0, request.files.length)
  const images = parts.slice(request.files.length)
  const composed = await composePdf(request, { files, images })
  await progress(composed.room)
  await write(composed.bytes)
  const { checkSealed } = await loadProof()
  const shown = request.files.map((file, index) => ({ ...file, sha256: request.evidence.files[index]?.sha256 }))
  return { ...composed, comparison: await checkSealed(shown, files, composed.bytes) }
}

export interface ComposedFile {
  comparison: Comparison
  /** Undefined when the file isn't as it should be: then there is no signature. */
  checked?: CheckedFile
}

/** The number of parts of each kind; the rest are lists of revoked certificates. */
interface StoreCount {
  certificates: number
  ocsps: number
}

export const tasks = {
  prepare: async (options: PrepareOptions, { body, write }: TaskContext): Promise<Prepared> => {
    const { bytes, ...told } = await normalise(await readWhole(body), options)
    const { readDrawn } = await loadSecondReader()
    const drawn = await readDrawn(bytes)
    await write(bytes)
    return { ...told, drawn }
  },

  inspect: async (_input: null, { body }: TaskContext) => inspectPdf(await readWhole(body)),

  propose: async ({ people, formFields }: ProposalHints, { body }: TaskContext): Promise<FieldProposal[]> => {
    const pdf = await loadPdf(await readWhole(body))
    return proposeFields([...formFields, ...formFieldsOf(pdf)], readLines(pdf), people)
  },

  text: async (_input: null, { body }: TaskContext): Promise<string[]> =>
    textOfPages(await loadPdf(await readWhole(body))),

  write: async (request: Omit<TextToWrite, 'text'>, { body, write }: TaskContext): Promise<Written> => {
    const { writeText } = await import('../written/write-text.ts')
    const written = await writeText({ ...request, text: (await readWhole(body)).toString('utf8') })
    if ('refusal' in written) return written
    await write(written.bytes)
    return { fields: written.fields }
  },

  picture: async (_input: null, { body, write }: TaskContext): Promise<void> =>
    write(await imageToPdf(await readWhole(body))),

  compose: async (request: ComposeRequest, context: TaskContext): Promise<Comparison> =>
    (await compose(request, context)).comparison,

  /** No signature is asked for when the pages are not those that were signed. */
  composeAndCheck: async (request: ComposeRequest, context: TaskContext): Promise<ComposedFile> => {
    const { bytes, room, comparison } = await compose(request, context)
    if (!('pages' in comparison)) return { comparison }
    bytes.write(String(await context.ask('sign', null)), room.start + 1, 'latin1')
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    return { comparison, checked: { ...(await readSignatures(bytes)), sha256 } }
  },

  /** The bytes to append to a sealed file. */
  secure: async (count: StoreCount, { body, write }: TaskContext): Promise<void> => {
    const [file = Buffer.alloc(0), ...parts] = partsOf(await readWhole(body))
    const certificates = parts.splice(0, count.certificates)
    const ocsps = parts.splice(0, count.ocsps)
    await write(await storeUpdate(file, { certificates, ocsps, crls: parts }))
  },

  verify: async (_input: null, { body }: TaskContext) => readSignatures(await readWhole(body)),
}
