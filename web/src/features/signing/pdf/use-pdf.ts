/** One PDF, opened when the first of its pages comes near the screen and closed with the view. */
import type { PDFDocumentProxy } from 'pdfjs-dist'
import { useEffect, useState } from 'react'
import { acquirePdf, releasePdf } from './open-pdf.ts'

interface PdfState {
  pdf?: PDFDocumentProxy
  hasFailed: boolean
}

export function usePdf(url: string, isWanted: boolean): PdfState & { retry: () => void } {
  const [state, setState] = useState<PdfState>({ hasFailed: false })
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt opens the file again
  useEffect(() => {
    if (!isWanted) return
    let isCurrent = true
    setState({ hasFailed: false })
    acquirePdf(url).then(
      (pdf) => isCurrent && setState({ pdf, hasFailed: false }),
      () => isCurrent && setState({ hasFailed: true }),
    )
    return () => {
      isCurrent = false
      releasePdf(url)
    }
  }, [url, isWanted, attempt])
  return { ...state, retry: () => setAttempt(attempt + 1) }
}
