/** The pages of one file, each loaded when it comes near the screen. What is drawn on top of a page is the caller's. */
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { PageCanvas } from './page-canvas.tsx'
import { useNearScreen } from './use-near-screen.ts'
import { usePdf } from './use-pdf.ts'

export interface PageSize {
  width: number
  height: number
}

export interface PdfSource {
  url: string
  pages: readonly PageSize[]
}

interface PdfFileProps {
  source: PdfSource
  labelOf: (page: number) => string
  /** Shown while the file can't be loaded. */
  failure: (retry: () => void) => ReactNode
  /** Pages count from 1. */
  overlay?: (page: number) => ReactNode
  /** The element to scroll to. */
  idOf?: (page: number) => string
}

export function PdfFile({ source: { url, pages }, labelOf, failure, overlay, idOf }: PdfFileProps) {
  const [isWanted, setWanted] = useState(false)
  const onNear = useCallback(() => setWanted(true), [])
  const { pdf, hasFailed, retry } = usePdf(url, isWanted)
  return (
    <>
      {hasFailed && failure(retry)}
      {pages.map((size, index) => (
        <PageBox
          // biome-ignore lint/suspicious/noArrayIndexKey: pages are their numbers
          key={index}
          size={size}
          label={labelOf(index + 1)}
          id={idOf?.(index + 1)}
          onNear={onNear}
          drawing={pdf && <PageCanvas pdf={pdf} page={index + 1} />}
        >
          {overlay?.(index + 1)}
        </PageBox>
      ))}
    </>
  )
}

interface PageBoxProps {
  size: PageSize
  label: string
  id: string | undefined
  onNear: () => void
  drawing: ReactNode
  children: ReactNode
}

/** White in the dark theme too: it is paper. Its fields are there before its picture is. */
function PageBox({ size, label, id, onNear, drawing, children }: PageBoxProps) {
  const [ref, isNear] = useNearScreen<HTMLElement>()
  useEffect(() => {
    if (isNear) onNear()
  }, [isNear, onNear])
  return (
    <section
      ref={ref}
      id={id}
      dir="ltr"
      aria-label={label}
      style={{ aspectRatio: `${size.width} / ${size.height}` }}
      className="relative w-full shrink-0 scroll-mt-4 bg-white shadow-sheet outline-1 outline-line"
    >
      {isNear && drawing}
      {children}
    </section>
  )
}
