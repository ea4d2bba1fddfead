/** The pages of a text as they will be sent. */
import type { PDFDocumentProxy } from 'pdfjs-dist'
import { useEffect, useState } from 'react'
import { Skeleton } from '#ui/feedback/states.tsx'
import { openBytes } from '../pdf/open-pdf.ts'
import { PageCanvas } from '../pdf/page-canvas.tsx'

interface Opened {
  pdf: PDFDocumentProxy
  sizes: readonly { width: number; height: number }[]
}

const readSizes = (pdf: PDFDocumentProxy) =>
  Promise.all(
    Array.from({ length: pdf.numPages }, async (_, index) => {
      const { width, height } = (await pdf.getPage(index + 1)).getViewport({ scale: 1 })
      return { width, height }
    }),
  )

/** The pages before stay until the new ones can be drawn. */
function useOpened(bytes: ArrayBuffer | undefined): Opened | undefined {
  const [opened, setOpened] = useState<Opened>()
  useEffect(() => {
    if (bytes === undefined) return
    let isCurrent = true
    const opening = openBytes(bytes)
    opening.pdf
      .then(async (pdf) => {
        const sizes = await readSizes(pdf)
        if (isCurrent) setOpened({ pdf, sizes })
      })
      .catch(() => undefined)
    return () => {
      isCurrent = false
      opening.close()
    }
  }, [bytes])
  return opened
}

export function Preview({ bytes }: { bytes: ArrayBuffer | undefined }) {
  const opened = useOpened(bytes)
  return (
    <section
      aria-label="Pages"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: an area that scrolls must be reachable by keyboard
      tabIndex={0}
      className="flex max-h-[75vh] min-h-80 flex-col gap-3 overflow-y-auto rounded-b-panel bg-desk p-4"
    >
      {opened === undefined && <Skeleton className="aspect-[595/842] w-full" />}
      {opened?.sizes.map(({ width, height }, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: pages are their numbers
          key={index}
          dir="ltr"
          style={{ aspectRatio: `${width} / ${height}` }}
          className="relative w-full shrink-0 bg-white shadow-sheet outline-1 outline-line"
        >
          <PageCanvas pdf={opened.pdf} page={index + 1} />
        </div>
      ))}
    </section>
  )
}
