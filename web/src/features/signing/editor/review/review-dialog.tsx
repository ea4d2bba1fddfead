/** The last look before a document is sent: problems first, then who gets it, the message and the settings. */
import type { DocumentPatch, SigningDocument } from '@chancery/contract/signing/documents.ts'
import { CircleAlert, Send } from 'lucide-react'
import { useRef, useState } from 'react'
import { NoMailNote } from '#data/no-mail-note.tsx'
import { ApiError } from '#lib/problems/api-error.ts'
import { counted } from '#lib/text/counted.ts'
import { Button } from '#ui/button/button.tsx'
import { FormFailure } from '#ui/feedback/states.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { Dialog, DialogActions } from '#ui/overlay/dialog.tsx'
import { usePatchDocument, useSend } from '../../documents/api.ts'
import { codesStay, roleLabels } from '../../documents/labels.tsx'
import { UnverifiedNote } from '../../documents/unverified-note.tsx'
import { colourOf } from '../colours.ts'
import { findProblems } from '../state/problems.ts'
import type { Editor } from '../use-editor.ts'
import { SettingsForm } from './settings-form.tsx'

interface ReviewDialogProps {
  document: SigningDocument
  editor: Editor
  onSent: () => void
  onClose: () => void
}

export function ReviewDialog({ document, editor, onSent, onClose }: ReviewDialogProps) {
  const [failure, setFailure] = useState<ApiError>()
  const [isSending, setSending] = useState(false)
  const send = useSend(document.id)
  const settings = useSettings(document.id)
  const problems = findProblems({ ...document, fields: editor.fields }, new Date()).map(({ text }) => text)
  const refused = failure?.problems.map(({ msg }) => msg) ?? []
  const all = [...new Set([...problems, ...refused])]

  async function submit() {
    setFailure(undefined)
    setSending(true)
    try {
      await Promise.all([editor.flush(), settings.saved()])
      await send.mutateAsync(undefined)
      toast.done(`“${document.title}” sent`)
      onSent()
    } catch (error) {
      if (error instanceof ApiError) setFailure(error)
      else toast.failed(error)
    } finally {
      setSending(false)
    }
  }
  return (
    <Dialog isOpen isWide title="Review and send" hint={document.title} onClose={onClose}>
      <div className="flex flex-col gap-6">
        <Problems texts={all} />
        <Summary document={document} editor={editor} />
        <NoMailNote>
          After sending, copy each signing link from the document and send it to the recipient yourself.
          {document.emailOtp && ` ${codesStay}`}
        </NoMailNote>
        <UnverifiedNote />
        <SettingsForm document={document} onChange={settings.change} />
        {refused.length === 0 && <FormFailure error={failure} />}
        <DialogActions>
          <Button onClick={onClose}>Back to editing</Button>
          <Button
            look="primary"
            icon={Send}
            isPending={isSending}
            disabled={problems.length > 0}
            onClick={() => void submit()}
          >
            Send
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  )
}

/** One change after the other. A press on Send leaves a field and so saves it: what is sent must have that change. */
function useSettings(documentId: string) {
  const patch = usePatchDocument(documentId)
  const last = useRef<Promise<unknown>>(Promise.resolve())
  return {
    change: (change: DocumentPatch) => {
      last.current = last.current.catch(() => undefined).then(() => patch.mutateAsync(change))
      last.current.catch(toast.failed)
    },
    saved: () => last.current,
  }
}

function Problems({ texts }: { texts: readonly string[] }) {
  if (texts.length === 0) return null
  return (
    <section aria-label="Problems" className="rounded-panel bg-warn-wash px-4 py-3">
      <h3 className="flex items-center gap-2 font-medium text-warn">
        <CircleAlert aria-hidden className="size-4" />
        Before you can send
      </h3>
      <ul className="mt-1 list-disc pl-6">
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </section>
  )
}

function Summary({ document, editor }: Pick<ReviewDialogProps, 'document' | 'editor'>) {
  return (
    <section aria-label="Recipients">
      <h3 className="font-medium">Recipients</h3>
      <ul className="mt-2 divide-y divide-line border-y">
        {document.recipients.map(({ id, name, email, role }) => (
          <li key={id} className="flex items-center gap-3 py-2">
            <span
              aria-hidden
              className="size-3 shrink-0 rounded-full"
              style={{ background: colourOf(document.recipients, id) }}
            />
            <span className="min-w-0 flex-1">
              <span className="block truncate font-medium">{name}</span>
              <span className="block truncate text-faint text-sm">{email}</span>
            </span>
            <span className="shrink-0 text-right text-soft text-sm">
              {roleLabels[role].label}
              <span className="block text-faint">
                {counted(editor.fields.filter(({ recipientId }) => recipientId === id).length, 'field')}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
