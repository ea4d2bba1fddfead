/** A file's text, and how it was cut for retrieval. */
import { Download } from 'lucide-react'
import { useState } from 'react'
import { counted } from '#lib/text/counted.ts'
import { buttonLook } from '#ui/button/button.tsx'
import { ErrorPanel, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { Segmented } from '#ui/form/choices.tsx'
import { Dialog } from '#ui/overlay/dialog.tsx'
import { Pager } from '#ui/table/pager.tsx'
import { chunksLimit, downloadUrl, useChunks, useFile, useFileText } from '../api.ts'

const views = [
  { value: 'text', label: 'Text' },
  { value: 'chunks', label: 'Chunks' },
] as const
type View = (typeof views)[number]['value']

interface PreviewDialogProps {
  /** Undefined means closed. */
  fileId: string | undefined
  onClose: () => void
}

export function PreviewDialog({ fileId, onClose }: PreviewDialogProps) {
  if (fileId === undefined) return null
  return <Preview key={fileId} fileId={fileId} onClose={onClose} />
}

function Preview({ fileId, onClose }: { fileId: string; onClose: () => void }) {
  const file = useFile(fileId)
  const [view, setView] = useState<View>('text')
  return (
    <Dialog title={file.data?.filename ?? 'File'} isOpen isWide isDisposable onClose={onClose}>
      {file.isError ? (
        <ErrorPanel error={file.error} onRetry={file.refetch} />
      ) : (
        <div className="flex flex-col gap-4">
          <div className="flex flex-wrap items-center justify-between gap-3">
            <Segmented legend="View" name="view" value={view} options={views} onChange={setView} />
            <a href={downloadUrl(fileId)} download className={buttonLook('plain', 'small')}>
              <Download aria-hidden className="size-3.5" />
              Download
            </a>
          </div>
          {view === 'text' ? <TextView fileId={fileId} /> : <ChunksView fileId={fileId} />}
        </div>
      )}
    </Dialog>
  )
}

const PreviewSkeleton = ({ label }: { label: string }) => (
  <Loading label={label}>
    <div className="flex flex-col gap-3">
      <Skeleton className="h-4 w-11/12" />
      <Skeleton className="h-4 w-full" />
      <Skeleton className="h-4 w-2/3" />
    </div>
  </Loading>
)

/** More would be slow to lay out; the download has it all. */
const shownCharacters = 100_000

function TextView({ fileId }: { fileId: string }) {
  const text = useFileText(fileId)
  if (text.isPending) return <PreviewSkeleton label="Loading text" />
  if (text.isError) return <ErrorPanel error={text.error} onRetry={text.refetch} />
  const { content } = text.data
  return (
    <>
      <p className="whitespace-pre-wrap rounded-panel border bg-surface px-4 py-3 leading-relaxed [overflow-wrap:anywhere]">
        {content.slice(0, shownCharacters)}
      </p>
      {content.length > shownCharacters && (
        <p className="text-faint text-sm">The rest isn’t shown here. Download the file to read all of it.</p>
      )}
    </>
  )
}

function ChunksView({ fileId }: { fileId: string }) {
  const [page, setPage] = useState(1)
  const chunks = useChunks(fileId, page)
  if (chunks.isPending) return <PreviewSkeleton label="Loading chunks" />
  if (chunks.isError) return <ErrorPanel error={chunks.error} onRetry={chunks.refetch} />
  const { items, total, embedded } = chunks.data
  return (
    <>
      <p className="text-faint text-sm">
        {counted(total, 'chunk')}, {embedded} of {total} searchable by meaning
      </p>
      <ol className="flex flex-col gap-3">
        {items.map(({ position, text, page: pageNumber, heading }) => (
          <li key={position} className="rounded-panel border bg-surface px-4 py-3">
            <p className="mb-1 flex flex-wrap gap-x-3 text-faint text-xs">
              <span className="figures">{position + 1}</span>
              {pageNumber !== undefined && <span>page {pageNumber}</span>}
              {heading !== undefined && <span>{heading}</span>}
            </p>
            <p className="whitespace-pre-wrap text-sm [overflow-wrap:anywhere]">{text}</p>
          </li>
        ))}
      </ol>
      <Pager page={page} limit={chunksLimit} total={total} onPage={setPage} />
    </>
  )
}
