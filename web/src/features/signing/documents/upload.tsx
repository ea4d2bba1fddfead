/** Uploading PDFs by button or by dropping them anywhere on the list. Several files make one document. */
import type { SigningDocument } from '@chancery/contract/signing-documents.ts'
import { Plus } from 'lucide-react'
import { type ChangeEvent, type DragEvent, type ReactNode, useCallback, useRef, useState } from 'react'
import { Button } from '#ui/button.tsx'
import { toast } from '#ui/toast.tsx'
import { uploadDocument } from './api.ts'

export interface Upload {
  /** The part that was sent, from 0 to 1; undefined while nothing is uploaded. */
  sent: number | undefined
  start: (files: readonly File[]) => void
  cancel: () => void
}

export function useUpload(onMade: (document: SigningDocument) => void): Upload {
  const [sent, setSent] = useState<number>()
  const running = useRef<AbortController>(undefined)
  const start = (files: readonly File[]) => {
    if (files.length === 0 || running.current) return
    const controller = new AbortController()
    running.current = controller
    setSent(0)
    uploadDocument(files, { onProgress: setSent, signal: controller.signal })
      .then(onMade)
      .catch((error: unknown) => {
        if (!controller.signal.aborted) toast.failed(error)
      })
      .finally(() => {
        running.current = undefined
        setSent(undefined)
      })
  }
  return { sent, start, cancel: () => running.current?.abort() }
}

const accept = 'application/pdf,.pdf'

export function UploadButton({ upload }: { upload: Upload }) {
  const inputRef = useRef<HTMLInputElement>(null)
  const onPick = (event: ChangeEvent<HTMLInputElement>) => {
    upload.start([...(event.target.files ?? [])])
    // The same file can be chosen again after a failure.
    event.target.value = ''
  }
  return (
    <>
      <input
        ref={inputRef}
        type="file"
        multiple
        accept={accept}
        aria-label="PDF files"
        onChange={onPick}
        tabIndex={-1}
        className="sr-only"
      />
      <Button
        look="primary"
        icon={Plus}
        isPending={upload.sent !== undefined}
        onClick={() => inputRef.current?.click()}
      >
        New document
      </Button>
    </>
  )
}

/** Everything inside accepts dropped files. */
export function DropZone({ upload, children }: { upload: Upload; children: ReactNode }) {
  const [isOver, setOver] = useState(false)
  const onDragOver = useCallback((event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    setOver(true)
  }, [])
  const onDragLeave = (event: DragEvent<HTMLElement>) => {
    if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    upload.start([...event.dataTransfer.files])
  }
  return (
    <section
      aria-label="Documents"
      className="relative"
      onDragOver={onDragOver}
      onDragLeave={onDragLeave}
      onDrop={onDrop}
    >
      {children}
      {isOver && (
        <div className="pointer-events-none absolute inset-0 z-20 flex items-center justify-center rounded-panel border-2 border-seal border-dashed bg-surface/90 font-medium text-md">
          Drop PDFs to create a document
        </div>
      )}
    </section>
  )
}

export function UploadProgress({ upload: { sent, cancel } }: { upload: Upload }) {
  if (sent === undefined) return null
  const percent = Math.round(sent * 100)
  return (
    <div role="status" className="flex items-center gap-4 rounded-panel border bg-surface px-5 py-3">
      <span className="whitespace-nowrap">{sent < 1 ? `Uploading… ${percent}%` : 'Checking the PDF…'}</span>
      <progress aria-label="Upload" value={sent} max={1} className="h-1.5 flex-1 accent-seal" />
      <Button look="quiet" size="small" onClick={cancel}>
        Cancel
      </Button>
    </div>
  )
}
