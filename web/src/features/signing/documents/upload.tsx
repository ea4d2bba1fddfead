/** Uploading files by button or by dropping them anywhere on the list. Several files make one document. */
import type { SigningDocument } from '@chancery/contract/signing/documents.ts'
import { Plus } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { Button } from '#ui/button/button.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { DropZone } from '#ui/form/drop-zone.tsx'
import { FilePicker } from '#ui/form/file-picker.tsx'
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

/** File types that the server turns into a PDF. */
export const accept = '.pdf,.png,.jpg,.jpeg,.webp,.docx,.odt'

export const UploadButton = ({ upload }: { upload: Upload }) => (
  <FilePicker label="PDF files" accept={accept} onPick={(files) => upload.start([...(files ?? [])])}>
    {(open) => (
      <Button look="primary" icon={Plus} isPending={upload.sent !== undefined} onClick={open}>
        New document
      </Button>
    )}
  </FilePicker>
)

/** Everything inside accepts dropped files. */
export const DocumentDropZone = ({ upload, children }: { upload: Upload; children: ReactNode }) => (
  <DropZone label="Documents" hint="Drop files to create a document" onFiles={({ files }) => upload.start([...files])}>
    {children}
  </DropZone>
)

export function UploadProgress({ upload: { sent, cancel } }: { upload: Upload }) {
  if (sent === undefined) return null
  const percent = Math.round(sent * 100)
  return (
    <div role="status" className="flex items-center gap-4 rounded-panel border bg-surface px-5 py-3">
      <span className="whitespace-nowrap">{sent < 1 ? `Uploading… ${percent}%` : 'Checking the file…'}</span>
      <progress aria-label="Upload" value={sent} max={1} className="h-1.5 flex-1 accent-seal" />
      <Button look="quiet" size="small" onClick={cancel}>
        Cancel
      </Button>
    </div>
  )
}
