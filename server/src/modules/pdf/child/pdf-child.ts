/** The limited child as the server uses it: what goes in, what comes out, and what its failures mean to a person. */
import { Readable } from 'node:stream'
import type { FieldProposal } from '@chancery/contract/signing/proposals.ts'
import { ChildFailure, exhausted } from '#kernel/child/index.ts'
import { AppError } from '#kernel/errors.ts'
import type { Kernel } from '#kernel/kernel.ts'
import type { ComposeRequest } from '../draw/compose-pdf.ts'
import type { SignatureRoom } from '../draw/signature-placeholder.ts'
import type { PdfFacts, PrepareOptions, ProposalHints, TextToWrite } from '../interface.ts'
import type { Comparison } from '../proof/compare-drawn.ts'
import { refusals } from '../read/refusal.ts'
import type { SecurityStore } from '../read/security-store.ts'
import type { ReportedSignatures } from '../verify/read-signatures.ts'
import type { ComposedFile, Prepared, Written } from './pdf.worker.ts'
import { declareWorkers } from './workers.ts'

type Bytes = AsyncIterable<Uint8Array>

export interface SizedFile {
  stream: Bytes
  size: number
}

export interface ComposeOutput {
  /** Called once, before the first bytes. */
  onRoom(room: SignatureRoom): void
  onBytes(bytes: Buffer): void
}

export interface SignedOutput extends ComposeOutput {
  /** Called once, after the last bytes: the signature to write into the room. */
  sign(): Promise<Buffer>
}

export interface ComposeFiles {
  request: ComposeRequest
  /** Keys of blobs. */
  files: readonly string[]
  images: readonly Buffer[]
}

export interface PrepareRequest {
  options: PrepareOptions
  /** Gets the one file that is made of the upload; its next piece is read when it settles. */
  onBytes(bytes: Buffer): Promise<void>
}

export interface PdfChild {
  prepare(key: string, tenant: string, request: PrepareRequest): Promise<Prepared>
  inspect(key: string, tenant: string): Promise<PdfFacts>
  propose(key: string, tenant: string, hints: ProposalHints): Promise<FieldProposal[]>
  /** The text of each page. */
  text(key: string, tenant: string): Promise<string[]>
  /** A text as a PDF, or why it can't be one. */
  write(text: TextToWrite, tenant: string): Promise<{ bytes: Buffer; told: Written }>
  /** A picture as a PDF of one page. */
  picture(key: string, tenant: string): Promise<Buffer>
  /** Tells whether a second reader sees the pages that were signed. */
  compose(input: ComposeFiles, output: ComposeOutput, tenant: string): Promise<Comparison>
  /** The same, and then checks the file with its signature as a stranger's would be. */
  composeAndCheck(input: ComposeFiles, output: SignedOutput, tenant: string): Promise<ComposedFile>
  /** The bytes to append to a sealed file, so that it holds these certificates and proofs. */
  secure(file: SizedFile, store: SecurityStore, tenant: string): Promise<Buffer>
  /** For a file that was just sealed. */
  verify(bytes: Bytes, tenant: string): Promise<ReportedSignatures>
  /** The same for anybody's file. */
  verifyForeign(bytes: Bytes, tenant: string): Promise<ReportedSignatures>
}

export const createPdfChild = ({ blobs, children }: Pick<Kernel, 'blobs' | 'children'>): PdfChild => {
  const { uploads, seals, checks, verifications } = declareWorkers(children)
  const open = async (key: string): Promise<SizedFile> => {
    const blob = await blobs.get(key)
    if (!blob) throw new AppError('not_found')
    return blob
  }
  const bodyOf = ({ files, images }: Omit<ComposeFiles, 'request'>): Bytes =>
    parts([...files.map((key) => () => open(key)), ...images.map(inMemory)])

  return {
    prepare: async (key, tenant, { options, onBytes }) => {
      const { stream } = await open(key)
      return children.run(uploads, 'prepare', options, { tenant, body: stream, onBytes }).catch(explain)
    },
    inspect: async (key, tenant) => {
      const { stream } = await open(key)
      return children.run(uploads, 'inspect', null, { tenant, body: stream }).catch(explain)
    },
    propose: async (key, tenant, hints) => {
      const { stream } = await open(key)
      return children.run(uploads, 'propose', hints, { tenant, body: stream }).catch(explain)
    },
    text: async (key, tenant) => {
      const { stream } = await open(key)
      return children.run(uploads, 'text', null, { tenant, body: stream }).catch(explain)
    },
    write: async ({ text, ...request }, tenant) => {
      const { onBytes, whole } = collect()
      const body = Readable.from([Buffer.from(text)])
      const told = await children.run(uploads, 'write', request, { tenant, body, onBytes }).catch(explain)
      return { bytes: whole(), told }
    },
    picture: async (key, tenant) => {
      const { stream } = await open(key)
      const { onBytes, whole } = collect()
      await children.run(uploads, 'picture', null, { tenant, body: stream, onBytes }).catch(explain)
      return whole()
    },
    secure: async (file, { certificates, ocsps, crls }, tenant) => {
      const { onBytes, whole } = collect()
      const count = { certificates: certificates.length, ocsps: ocsps.length }
      const body = parts([async () => file, ...[...certificates, ...ocsps, ...crls].map(inMemory)])
      await children.run(checks, 'secure', count, { tenant, body, onBytes }).catch(explain)
      return whole()
    },
    compose: async ({ request, ...files }, output, tenant) => {
      const options = { tenant, body: bodyOf(files), ...receiverOf(output) }
      return children.run(seals, 'compose', request, options).catch(explain)
    },
    composeAndCheck: ({ request, ...files }, output, tenant) => {
      const onAsk = async () => (await output.sign()).toString('hex')
      const options = { tenant, body: bodyOf(files), onAsk, ...receiverOf(output) }
      return children.run(seals, 'composeAndCheck', request, options).catch(explain)
    },
    verify: (bytes, tenant) => children.run(checks, 'verify', null, { tenant, body: bytes }).catch(explain),
    verifyForeign: (bytes, tenant) =>
      children.run(verifications, 'verify', null, { tenant, body: bytes }).catch(explain),
  }
}

const receiverOf = ({ onRoom, onBytes }: ComposeOutput) => ({
  onProgress: (room: unknown): void => onRoom(room as SignatureRoom),
  onBytes,
})

/** Each part with its length before it, opened only when its turn comes. */
async function* parts(list: readonly (() => Promise<SizedFile>)[]): Bytes {
  for (const open of list) {
    const { stream, size } = await open()
    yield lengthOf(size)
    yield* stream
  }
}

const inMemory = (bytes: Buffer) => async (): Promise<SizedFile> => ({
  stream: Readable.from([bytes]),
  size: bytes.length,
})

const collect = () => {
  const pieces: Buffer[] = []
  return { onBytes: (bytes: Buffer): void => void pieces.push(bytes), whole: () => Buffer.concat(pieces) }
}

const lengthOf = (size: number): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(size))
  return bytes
}

const explain = (problem: unknown): never => {
  if (!(problem instanceof ChildFailure)) throw problem
  const refusal = refusals.find((code) => code === problem.taskError?.code)
  if (refusal) throw new AppError(refusal, { cause: problem })
  if (exhausted.has(problem.code)) throw new AppError('pdf_too_complex', { cause: problem })
  if (problem.code === 'child_task_failed') throw new AppError('pdf_damaged', { cause: problem })
  throw new AppError('not_ready', { retryAfterSec: 5, cause: problem })
}
