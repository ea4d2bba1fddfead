/** Sends a template to every row of a CSV. The rows are checked first, and each problem is shown beside its row. */
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { NoMailNote } from '#data/no-mail-note.tsx'
import { saveFile } from '#lib/browser/save-file.ts'
import { counted } from '#lib/text/counted.ts'
import { Button } from '#ui/button/button.tsx'
import { ErrorPanel } from '#ui/feedback/states.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/inputs.tsx'
import { Dialog, DialogActions } from '#ui/overlay/dialog.tsx'
import { Badge, type Tone } from '#ui/values/badge.tsx'
import { UnverifiedNote } from '../documents/unverified-note.tsx'
import { type Bulk, sendBulk, useBulk, useTemplate } from './api.ts'
import { headerOf } from './csv-header.ts'
import { rowProblems } from './row-problems.ts'

interface BulkDialogProps {
  template: { id: string; title: string }
  onClose: () => void
}

export function BulkDialog({ template, onClose }: BulkDialogProps) {
  const [file, setFile] = useState<File>()
  const preview = useMutation({ mutationFn: (csv: File) => sendBulk(template.id, csv, true) })
  const start = useMutation({ mutationFn: (csv: File) => sendBulk(template.id, csv, false) })
  const progress = useBulk(start.data?.id ?? undefined)
  const shown = progress.data ?? start.data ?? preview.data
  const choose = (csv: File | undefined) => {
    setFile(csv)
    start.reset()
    if (csv) preview.mutate(csv)
    else preview.reset()
  }
  const ready = preview.data?.counts.ready ?? 0
  return (
    <Dialog
      isOpen
      isWide
      title={`Send “${template.title}” to many`}
      hint="Each row of a CSV file becomes a document of its own."
      onClose={onClose}
    >
      <div className="flex flex-col gap-4">
        {start.data === undefined && <Choose templateId={template.id} title={template.title} onFile={choose} />}
        {(preview.error ?? start.error) && <ErrorPanel error={preview.error ?? start.error} />}
        {shown && <Rows job={shown} />}
        <NoMailNote>
          After sending, copy each signing link from the document and send it to the recipient yourself.
        </NoMailNote>
        <UnverifiedNote />
        <DialogActions>
          <Button onClick={onClose}>Close</Button>
          {start.data === undefined && (
            <Button
              look="primary"
              disabled={file === undefined || ready === 0}
              isPending={start.isPending || preview.isPending}
              onClick={() => file && start.mutate(file)}
            >
              {ready > 0 ? `Send ${counted(ready, 'document')}` : 'Send'}
            </Button>
          )}
        </DialogActions>
      </div>
    </Dialog>
  )
}

interface ChooseProps {
  templateId: string
  title: string
  onFile: (file: File | undefined) => void
}

function Choose({ templateId, title, onFile }: ChooseProps) {
  const template = useTemplate(templateId)
  return (
    <Field
      label="CSV file"
      name="csv"
      help="The first row names the columns: a name and an email for every role. The example file has them."
      aside={
        template.data && (
          <Button
            look="quiet"
            size="small"
            icon={Download}
            onClick={() => saveFile(`${title}.csv`, headerOf(template.data), 'text/csv')}
          >
            Example file
          </Button>
        )
      }
    >
      <TextInput
        type="file"
        accept=".csv,text/csv"
        // Emptied first: a browser doesn't report the choice of a file of the same name, corrected meanwhile.
        onClick={({ currentTarget }) => {
          currentTarget.value = ''
          onFile(undefined)
        }}
        onChange={({ target }) => onFile(target.files?.[0])}
        className="py-1.5 file:me-3 file:rounded-control file:bg-sunken file:px-3 file:py-1 file:text-ink"
      />
    </Field>
  )
}

const states: Record<Bulk['rows'][number]['state'], { label: string; tone: Tone }> = {
  READY: { label: 'Ready', tone: 'plain' },
  REFUSED: { label: 'Problem', tone: 'bad' },
  SENT: { label: 'Sent', tone: 'good' },
  FAILED: { label: 'Failed', tone: 'bad' },
}

function Rows({ job }: { job: Bulk }) {
  const { ready, refused, sent, failed } = job.counts
  const parts = [
    sent > 0 && `${sent} sent`,
    ready > 0 && `${ready} ${job.state === 'PREVIEW' ? 'ready' : 'waiting'}`,
    refused > 0 && `${counted(refused, 'row')} with problems`,
    failed > 0 && `${failed} failed`,
  ].filter((part) => part !== false)
  return (
    <section aria-label="Rows">
      <p role="status" className="mb-2 font-medium">
        {parts.length === 0 ? 'No rows' : parts.join(' · ')}
      </p>
      <ul className="max-h-72 divide-y divide-line overflow-y-auto border-y">
        {job.rows.map(({ row, title, state, problems }) => (
          <li key={row} className="flex items-start gap-3 py-2">
            <span className="figures w-8 shrink-0 text-faint text-sm">{row}</span>
            <span className="min-w-0 flex-1">
              <span className="block truncate">{title}</span>
              {rowProblems(problems).map((problem) => (
                <span key={problem} className="block text-bad text-sm">
                  {problem}
                </span>
              ))}
            </span>
            <Badge tone={states[state].tone}>{states[state].label}</Badge>
          </li>
        ))}
      </ul>
    </section>
  )
}
