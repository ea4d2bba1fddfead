/** The files of a collection: those on their way, those that failed, and those that can be searched. */
import type { CollectionDetail, CollectionFile, WaitingFile } from '@chancery/contract/files/knowledge.ts'
import { RotateCw, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { usePerson } from '#data/viewer.ts'
import { formatBytes } from '#lib/text/bytes.ts'
import { counted } from '#lib/text/counted.ts'
import { IconButton } from '#ui/button/button.tsx'
import { Empty } from '#ui/feedback/states.tsx'
import { SearchInput } from '#ui/form/search-input.tsx'
import { Confirm } from '#ui/overlay/dialog.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { type Column, Table } from '#ui/table/table.tsx'
import { Time } from '#ui/values/time.tsx'
import { useRemoveFile, useRetryFile } from '../api.ts'
import { FileName, FileState } from '../file-state.tsx'
import { DropTarget } from './add-files.tsx'
import { CrawlRow } from './crawl-row.tsx'
import { UploadList } from './upload-list.tsx'
import type { CollectionUploads } from './use-collection-uploads.ts'

interface FilesPanelProps {
  collection: CollectionDetail
  uploads: CollectionUploads
  search: string | undefined
  onSearch: (text: string) => void
  onOpen: (fileId: string) => void
  /** The button that adds the first file. */
  addButton: ReactNode
}

const searchableFrom = 8

type Row = CollectionFile & Pick<WaitingFile, 'progress'>

/** Two files of a synced folder may have the same name. */
const nameOf = ({ path, filename }: Row): string => path ?? filename

export function FilesPanel({ collection, uploads, search, onSearch, onOpen, addButton }: FilesPanelProps) {
  const { id, write_access: canWrite, waiting = [], files } = collection
  const [removing, setRemoving] = useState<Row>()
  const viewer = usePerson()
  const retry = useRetryFile(id)
  const remove = useRemoveFile(id)
  const all: Row[] = [...waiting, ...files]
  const wanted = (search ?? '').toLowerCase()
  const rows = all.filter((file) => nameOf(file).toLowerCase().includes(wanted))
  const columns = columnsOf({
    onOpen,
    onRetry: (file) => retry.mutate(file.id),
    onRemove: setRemoving,
    canWrite,
    viewerId: viewer.id,
  })
  return (
    <DropTarget uploads={uploads} canWrite={canWrite}>
      <Panel
        title="Files"
        hint={hintOf(collection)}
        isFlush
        action={
          (all.length >= searchableFrom || wanted !== '') && (
            <SearchInput label="Search files" value={search ?? ''} onSearch={onSearch} />
          )
        }
      >
        <CrawlRow collectionId={id} canWrite={canWrite} />
        <UploadList uploads={uploads.uploads} works={uploads.works} />
        {rows.length > 0 && <Table label="Files" columns={columns} rows={rows} keyOf={(file) => file.id} />}
        {rows.length === 0 && all.length > 0 && (
          <Empty title="No matching files" hint="Search covers file names and folders." />
        )}
        {all.length === 0 && uploads.uploads.length === 0 && <NoFiles addButton={addButton} canWrite={canWrite} />}
      </Panel>
      <Confirm
        title={`Remove “${removing && nameOf(removing)}”?`}
        loss="Chats and agents can’t find it in this collection any more. The file itself stays with its owner."
        action="Remove"
        isOpen={removing !== undefined}
        isPending={remove.isPending}
        onConfirm={() => removing && remove.mutate(removing.id, { onSettled: () => setRemoving(undefined) })}
        onClose={() => setRemoving(undefined)}
      />
    </DropTarget>
  )
}

const NoFiles = ({ addButton, canWrite }: { addButton: ReactNode; canWrite: boolean }) =>
  canWrite ? (
    <Empty
      title="No files yet"
      hint="Drop files or folders here: PDF, Word, PowerPoint, Excel, email, web pages, text and code."
      action={addButton}
    />
  ) : (
    <Empty title="No files yet" hint="Files appear here when its owner adds them." />
  )

const hintOf = ({ file_count, files, waiting = [] }: CollectionDetail): string => {
  const failed = waiting.filter(({ data }) => data.status === 'failed').length
  const parts = [counted(file_count, 'file')]
  if (waiting.length > failed) parts.push(`${waiting.length - failed} in progress`)
  if (failed > 0) parts.push(`${failed} failed`)
  if (file_count > files.length) parts.push(`the latest ${files.length} are shown`)
  return parts.join(' · ')
}

interface Actions {
  onOpen: (fileId: string) => void
  onRetry: (file: Row) => void
  onRemove: (file: Row) => void
  canWrite: boolean
  viewerId: string
}

const columnsOf = ({ onOpen, onRetry, onRemove, canWrite, viewerId }: Actions): Column<Row>[] => [
  {
    head: 'File',
    sort: nameOf,
    cell: (file) => <FileName file={file} onOpen={() => onOpen(file.id)} />,
  },
  {
    head: 'Status',
    isPlain: true,
    sort: ({ data }) => data.status,
    cell: (file) => <FileState file={file} progress={file.progress} />,
  },
  {
    head: 'Size',
    sort: ({ meta }) => meta.size,
    isPlain: true,
    cell: ({ meta }) => <span className="whitespace-nowrap">{formatBytes(meta.size)}</span>,
  },
  {
    head: 'Uploaded',
    isWideOnly: true,
    sort: ({ created_at }) => created_at,
    cell: ({ created_at }) => <Time at={created_at} />,
  },
  {
    head: 'Actions',
    isActions: true,
    cell: (file) =>
      canWrite && (
        <span className="flex justify-end">
          {file.data.status === 'failed' && file.user_id === viewerId && (
            <IconButton label={`Process ${nameOf(file)} again`} icon={RotateCw} onClick={() => onRetry(file)} />
          )}
          <IconButton label={`Remove ${nameOf(file)}`} icon={X} onClick={() => onRemove(file)} />
        </span>
      ),
  },
]
