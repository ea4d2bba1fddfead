/**
 * Loads pdf.js with the first PDF that is shown, and opens files piece by piece: a page costs only its own bytes. Views
 * of the same file share one open PDF, which closes with the last of them.
 */
import type { PDFDocumentProxy } from 'pdfjs-dist'

declare const __PDF_FILES__: string

const loadLibrary = async () => {
  const [library, worker] = await Promise.all([import('pdfjs-dist'), import('pdfjs-dist/build/pdf.worker.min.mjs?url')])
  library.GlobalWorkerOptions.workerSrc = worker.default
  return library
}

let loading: ReturnType<typeof loadLibrary> | undefined

const getLibrary = () => {
  loading ??= loadLibrary().catch((error: unknown) => {
    // After a failed download the next attempt starts again.
    loading = undefined
    throw error
  })
  return loading
}

interface Shared {
  pdf: Promise<PDFDocumentProxy>
  users: number
  close: () => void
}

const open = new Map<string, Shared>()

/** Every call needs its own `releasePdf`. */
export function acquirePdf(url: string): Promise<PDFDocumentProxy> {
  const shared = open.get(url) ?? begin(url)
  open.set(url, shared)
  shared.users += 1
  return shared.pdf
}

export function releasePdf(url: string) {
  const shared = open.get(url)
  if (shared === undefined) return
  shared.users -= 1
  if (shared.users > 0) return
  open.delete(url)
  shared.close()
}

/** A PDF that is in memory already. Its bytes are copied: pdf.js takes them away. */
export function openBytes(bytes: ArrayBuffer): Pick<Shared, 'pdf' | 'close'> {
  return load({ data: bytes.slice(0) })
}

const begin = (url: string): Shared => ({ ...load({ url }), users: 0 })

function load(source: { url: string } | { data: ArrayBuffer }): Pick<Shared, 'pdf' | 'close'> {
  const task = getLibrary().then(({ getDocument }) =>
    getDocument({
      ...source,
      cMapUrl: `${__PDF_FILES__}cmaps/`,
      standardFontDataUrl: `${__PDF_FILES__}standard_fonts/`,
      wasmUrl: `${__PDF_FILES__}wasm/`,
      useWasm: false,
      // The same letters on every device, whatever fonts it has.
      useSystemFonts: false,
      disableAutoFetch: true,
      disableStream: true,
    }),
  )
  const close = () =>
    void task.then(
      (opened) => opened.destroy(),
      () => undefined,
    )
  return { pdf: task.then(({ promise }) => promise), close }
}
