/** Uploading files by button or by dropping them anywhere on the list. Several files make one document. */
import type { SigningDocument } from '@chancery/contract/signing/documents.ts'
import { Plus } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import type { UploadOptions } from '#lib/http/api.ts'
import type { ApiError } from '#lib/problems/api-error.ts'
import { Button } from '#ui/button/button.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { DropZone } from '#ui/form/drop-zone.tsx'
import { FilePicker } from '#ui/form/file-picker.tsx'
import { isUploadQuestion, type UploadAnswers, UploadQuestion } from './upload-question.tsx'

export interface Upload {
  /** The part that was sent, from 0 to 1; undefined while nothing is uploaded. */
  sent: number | undefined
  /** Asked before the upload can go on. */
  question: { refusal: ApiError; answer: (answers: UploadAnswers) => void; close: () => void } | undefined
  start: (files: readonly File[]) => void
  cancel: () => void
}

type Send = (files: readonly File[], answers: UploadAnswers, options: UploadOptions) => Promise<SigningDocument>

interface Attempt {
  files: readonly File[]
  answers: UploadAnswers
}

/** A refusal that the sender can answer keeps the files, and sends them again with the answer. */
export function useUpload(send: Send, onMade?: (document: SigningDocument) => void): Upload {
  const [sent, setSent] = useState<number>()
  const [refused, setRefused] = useState<Attempt & { refusal: ApiError }>()
  const running = useRef<AbortController>(undefined)
  const attempt = ({ files, answers }: Attempt) => {
    if (files.length === 0 || running.current) return
    const controller = new AbortController()
    running.current = controller
    setSent(0)
    setRefused(undefined)
    send(files, answers, { onProgress: setSent, signal: controller.signal })
      .then(onMade)
      .catch((error: unknown) => {
        if (controller.signal.aborted) return
        if (isUploadQuestion(error)) setRefused({ files, answers, refusal: error })
        else toast.failed(error)
      })
      .finally(() => {
        running.current = undefined
        setSent(undefined)
      })
  }
  const question = refused && {
    refusal: refused.refusal,
    answer: (answers: UploadAnswers) => attempt({ ...refused, answers: { ...refused.answers, ...answers } }),
    close: () => setRefused(undefined),
  }
  const start = (files: readonly File[]) => attempt({ files, answers: {} })
  return { sent, question, start, cancel: () => running.current?.abort() }
}

/** The dialog of an upload that needs an answer. */
export const UploadDialog = ({ upload: { question } }: { upload: Upload }) =>
  question && <UploadQuestion refusal={question.refusal} onAnswer={question.answer} onClose={question.close} />

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
