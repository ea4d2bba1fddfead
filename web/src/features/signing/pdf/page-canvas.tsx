/** Draws one page at the size of its box, and again when the box changes. The text is there for screen readers. */
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist'
import { useEffect, useRef, useState } from 'react'

/** Sharper than this costs memory that phones don't have. */
const maxDensity = 2

export function PageCanvas({ pdf, page }: { pdf: PDFDocumentProxy; page: number }) {
  const canvasRef = useRef<HTMLCanvasElement>(null)
  const [text, setText] = useState('')
  useEffect(() => {
    const canvas = canvasRef.current
    if (canvas === null) return
    const drawing = drawWhenSized(canvas, () => pdf.getPage(page))
    let isCurrent = true
    readText(pdf, page).then(
      (found) => isCurrent && setText(found),
      () => undefined,
    )
    return () => {
      isCurrent = false
      drawing.stop()
    }
  }, [pdf, page])
  return (
    <>
      <canvas ref={canvasRef} aria-hidden className="absolute inset-0 size-full" />
      <p className="sr-only">{text}</p>
    </>
  )
}

const readText = async (pdf: PDFDocumentProxy, page: number): Promise<string> => {
  const { items } = await (await pdf.getPage(page)).getTextContent()
  return items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join('')
}

/** A drawing that is overtaken by a new size is cancelled: two on one canvas at once are an error. */
function drawWhenSized(canvas: HTMLCanvasElement, getPage: () => Promise<PDFPageProxy>) {
  let last: { cancel: () => void } | undefined
  let drawn = 0
  let isStopped = false
  const draw = async (width: number) => {
    const page = await getPage()
    if (isStopped || drawn !== width) return
    last?.cancel()
    const viewport = page.getViewport({ scale: width / page.getViewport({ scale: 1 }).width })
    canvas.width = Math.round(viewport.width)
    canvas.height = Math.round(viewport.height)
    const task = page.render({ canvas, viewport })
    last = task
    await task.promise
  }
  const observer = new ResizeObserver(() => {
    const width = Math.round(canvas.clientWidth * Math.min(devicePixelRatio, maxDensity))
    if (width === 0 || width === drawn) return
    drawn = width
    // A cancelled or broken page leaves the box empty; the rest of the document stays readable.
    draw(width).catch(() => undefined)
  })
  observer.observe(canvas)
  return {
    stop: () => {
      isStopped = true
      observer.disconnect()
      last?.cancel()
    },
  }
}
