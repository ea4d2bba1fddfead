/**
 * A second reader of PDFs, which shares nothing with the library that writes them: pdf.js, by which signers see files
 * too. It tells what a page draws; nothing is painted.
 */
import './packed-picture.ts'
import 'pdfjs-dist/legacy/build/pdf.worker.mjs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { getDocument, type PDFDocumentProxy, PDFWorker } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { PdfRefusal } from '../read/refusal.ts'

export interface SecondReader {
  pdf: PDFDocumentProxy
  /** Throws what went wrong since the file was opened: after an error a page's list just ends early. */
  requireWhole(): void
  close(): Promise<void>
}

export interface ReaderOptions {
  /** False: a part that can't be read is left out, as in viewers. */
  isStrict: boolean
}

const files = `${dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))}/`

/** Throws a `PdfRefusal` for a file that this reader can't open. */
export const openSecondReader = async (bytes: Uint8Array, { isStrict }: ReaderOptions): Promise<SecondReader> => {
  const port = new InPlacePort()
  const worker = PDFWorker.create({ port: port as never, verbosity: 0 })
  connect(port)
  const task = getDocument({
    // The reader takes no `Buffer`.
    data: new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    worker,
    verbosity: 0,
    stopAtErrors: isStrict,
    disableFontFace: true,
    fontExtraProperties: true,
    useSystemFonts: false,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: true,
    useWasm: false,
    wasmUrl: `${files}wasm/`,
    cMapUrl: `${files}cmaps/`,
  })
  const close = async (): Promise<void> => {
    await task.destroy()
    worker.destroy()
  }
  try {
    return { pdf: await task.promise, requireWhole: () => port.requireWhole(), close }
  } catch (problem) {
    await close()
    throw refusal(problem)
  }
}

export const refusal = (problem: unknown): PdfRefusal =>
  problem instanceof PdfRefusal
    ? problem
    : new PdfRefusal('pdf_readers_disagree', `The second reader can't read it: ${String(problem)}`)

type Listener = (event: { data: Message }) => void

interface Message {
  /** Of a list that is sent in pieces. */
  stream?: unknown
  /** Why it ends early. */
  reason?: unknown
  chunk?: { fnArray?: unknown[]; argsArray?: unknown[] }
}

/** The two halves of the reader in one thread. Its own port for that copies every message, which takes longer than reading. */
class InPlacePort {
  readonly #listeners = new Set<Listener>()
  #problem: unknown

  requireWhole(): void {
    if (this.#problem !== undefined) throw this.#problem
  }

  postMessage(message: Message): void {
    if (message.stream !== undefined) this.#problem ??= message.reason
    const event = { data: keepLists(message) }
    queueMicrotask(() => {
      for (const listener of this.#listeners) listener(event)
    })
  }

  addEventListener(_name: string, listener: Listener, options?: { signal?: AbortSignal }): void {
    this.#listeners.add(listener)
    options?.signal?.addEventListener('abort', () => this.#listeners.delete(listener))
  }

  removeEventListener(_name: string, listener: Listener): void {
    this.#listeners.delete(listener)
  }
}

/** The sender empties its two lists as soon as they are sent. */
const keepLists = (message: Message): Message => {
  const { chunk } = message
  if (!chunk?.fnArray || !chunk.argsArray) return message
  return { ...message, chunk: { ...chunk, fnArray: [...chunk.fnArray], argsArray: [...chunk.argsArray] } }
}

/** The reader's other half, which its file leaves here. */
const connect = (port: InPlacePort): void => {
  const { pdfjsWorker } = globalThis as unknown as {
    pdfjsWorker: { WorkerMessageHandler: { initializeFromPort(port: InPlacePort): void } }
  }
  pdfjsWorker.WorkerMessageHandler.initializeFromPort(port)
}
