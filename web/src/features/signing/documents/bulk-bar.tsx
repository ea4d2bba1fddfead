/** Actions for the documents that are selected in the list. Each shows for how many of them it can be done. */
import { useMutation } from '@tanstack/react-query'
import { Ban, Bell, Download, FolderInput } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { counted } from '#lib/counted.ts'
import { Button } from '#ui/button.tsx'
import { Confirm, Dialog, DialogActions } from '#ui/dialog.tsx'
import { Field } from '#ui/field.tsx'
import { TextInput } from '#ui/inputs.tsx'
import { toast } from '#ui/toast.tsx'
import { bulkCalls, type DocumentHead, fileUrl, useRefreshDocuments } from './api.ts'

interface Bulk {
  done: string
  documents: readonly DocumentHead[]
  call: (id: string) => Promise<unknown>
}

export function BulkBar({ documents, onClear }: { documents: readonly DocumentHead[]; onClear: () => void }) {
  const [open, setOpen] = useState<'cancel' | 'move'>()
  const refresh = useRefreshDocuments()
  const run = useMutation({
    mutationFn: runAll,
    onSuccess: ({ done, failures, count }) => {
      setOpen(undefined)
      if (failures.length === 0) onClear()
      const [first] = failures
      if (first === undefined) toast.done(`${counted(count, 'document')} ${done}`)
      else toast.failed(new Error(`${failures.length} of ${count} failed. “${first.title}”: ${first.message}`))
    },
    onSettled: refresh,
  })
  if (documents.length === 0) return null
  const sent = documents.filter(({ state }) => state === 'SENT')
  const sealed = documents.filter(({ state }) => state === 'COMPLETED')
  return (
    <section
      aria-label="Selected documents"
      className="flex flex-wrap items-center gap-2 border-b bg-sunken px-5 py-2 text-sm"
    >
      <span role="status" className="mr-auto font-medium">
        {documents.length} selected
      </span>
      <Button
        size="small"
        icon={Bell}
        disabled={sent.length === 0}
        isPending={run.isPending && run.variables.done === 'reminded'}
        onClick={() => run.mutate({ done: 'reminded', documents: sent, call: bulkCalls.remind })}
      >
        Remind
      </Button>
      <Button size="small" icon={FolderInput} onClick={() => setOpen('move')}>
        Move to folder
      </Button>
      <Button size="small" icon={Download} disabled={sealed.length === 0} onClick={() => downloadAll(sealed)}>
        Download
      </Button>
      <Button size="small" icon={Ban} disabled={sent.length === 0} onClick={() => setOpen('cancel')}>
        Cancel documents
      </Button>
      <Button size="small" look="quiet" onClick={onClear}>
        Clear
      </Button>
      <Confirm
        title={`Cancel ${counted(sent.length, 'document')}?`}
        loss="Nobody can sign them any more, and everyone who was asked gets an email."
        action="Cancel documents"
        isOpen={open === 'cancel'}
        isPending={run.isPending}
        onConfirm={() => run.mutate({ done: 'cancelled', documents: sent, call: bulkCalls.cancel })}
        onClose={() => setOpen(undefined)}
      />
      {open === 'move' && (
        <MoveDialog
          isPending={run.isPending}
          onMove={(folder) =>
            run.mutate({ done: 'moved', documents, call: (id: string) => bulkCalls.move(id, folder) })
          }
          onClose={() => setOpen(undefined)}
        />
      )}
    </section>
  )
}

/** One after the other: what fails is named, and the rest is done all the same. */
const runAll = async ({ done, documents, call }: Bulk) => {
  const failures: { title: string; message: string }[] = []
  for (const { id, title } of documents)
    try {
      await call(id)
    } catch (error) {
      failures.push({ title, message: error instanceof Error ? error.message : 'Something went wrong.' })
    }
  return { done, failures, count: documents.length }
}

const downloadAll = (documents: readonly DocumentHead[]) => {
  for (const { id } of documents) {
    const link = document.createElement('a')
    link.href = fileUrl(id, { version: 'sealed' })
    link.download = ''
    link.click()
  }
}

interface MoveDialogProps {
  isPending: boolean
  onMove: (folder: string | null) => void
  onClose: () => void
}

function MoveDialog({ isPending, onMove, onClose }: MoveDialogProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const folder = String(new FormData(event.currentTarget).get('folder') ?? '').trim()
    onMove(folder === '' ? null : folder)
  }
  return (
    <Dialog isOpen isDisposable title="Move to folder" onClose={onClose}>
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        <Field label="Folder" name="folder" help="Leave it empty to take the documents out of their folders.">
          <TextInput maxLength={120} autoComplete="off" />
        </Field>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isPending={isPending}>
            Move
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
