/** The viewer's own files, wherever they were uploaded. */
import type { FileRecord } from '@chancery/contract/files.ts'
import { Download, Ellipsis, RotateCw, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { saveUrl } from '#lib/browser/save-file.ts'
import { formatBytes } from '#lib/text/bytes.ts'
import type { BulkAction } from '#ui/actions/bulk-bar.tsx'
import { IconButton } from '#ui/button/button.tsx'
import { Confirm } from '#ui/overlay/dialog.tsx'
import { Menu, MenuItem, MenuLine } from '#ui/overlay/menu.tsx'
import { QueryTable } from '#ui/table/query-table.tsx'
import type { Column } from '#ui/table/table.tsx'
import { Time } from '#ui/values/time.tsx'
import {
  downloadUrl,
  fileCalls,
  filesLimit,
  type ListQuery,
  useFileActions,
  useFiles,
  useRefreshFiles,
} from '../api.ts'
import { FileName, FileState } from '../file-state.tsx'

interface FilesTableProps {
  query: ListQuery & { status?: string | undefined }
  empty: ReactNode
  onPage: (page: number) => void
  onSort: (sort: string | undefined) => void
  onOpen: (fileId: string) => void
}

export function FilesTable({ query, empty, onPage, onSort, onOpen }: FilesTableProps) {
  const [deleting, setDeleting] = useState<FileRecord>()
  const refresh = useRefreshFiles()
  const { remove, retry } = useFileActions(() => setDeleting(undefined))
  const columns = columnsOf({ onOpen, onRetry: ({ id }) => retry.mutate(id), onDelete: setDeleting })
  return (
    <>
      <QueryTable
        label="Files"
        query={useFiles(query)}
        columns={columns}
        keyOf={({ id }) => id}
        empty={empty}
        paging={{ page: query.page ?? 1, limit: filesLimit, onPage }}
        order={{ sort: query.sort, onSort }}
        bulk={{ nouns: ['file', 'files'], nameOf: ({ filename }) => filename, actions: bulkActions, refresh }}
      />
      <Confirm
        title={`Delete “${deleting?.filename}”?`}
        loss="It’s also removed from every collection that holds it, and chats can’t read it any more."
        action="Delete file"
        isOpen={deleting !== undefined}
        isPending={remove.isPending}
        onConfirm={() => deleting && remove.mutate(deleting.id)}
        onClose={() => setDeleting(undefined)}
      />
    </>
  )
}

/** Files that were never processed, or where it failed. */
const isUnprocessed = ({ data }: FileRecord) => data.status !== 'completed' && data.status !== 'pending'

const bulkActions: BulkAction<FileRecord>[] = [
  {
    label: 'Process',
    icon: RotateCw,
    done: 'being processed',
    isFor: isUnprocessed,
    call: ({ id }) => fileCalls.process(id),
  },
  {
    label: 'Delete',
    icon: Trash2,
    done: 'deleted',
    ask: {
      title: (what) => `Delete ${what}?`,
      loss: 'They’re also removed from every collection that holds them, and chats can’t read them any more.',
    },
    call: ({ id }) => fileCalls.remove(id),
  },
]

interface Actions {
  onOpen: (fileId: string) => void
  onRetry: (file: FileRecord) => void
  onDelete: (file: FileRecord) => void
}

const columnsOf = ({ onOpen, onRetry, onDelete }: Actions): Column<FileRecord>[] => [
  { head: 'File', sort: 'name', cell: (file) => <FileName file={file} onOpen={() => onOpen(file.id)} /> },
  { head: 'Status', isPlain: true, sort: 'status', cell: (file) => <FileState file={file} /> },
  {
    head: 'Size',
    sort: 'size',
    isPlain: true,
    cell: ({ meta }) => <span className="whitespace-nowrap">{formatBytes(meta.size)}</span>,
  },
  {
    head: 'Type',
    sort: 'type',
    isWideOnly: true,
    cell: ({ meta }) => <span className="font-mono text-faint text-xs">{meta.content_type}</span>,
  },
  { head: 'Uploaded', sort: 'created', cell: ({ created_at }) => <Time at={created_at} /> },
  {
    head: 'Actions',
    isActions: true,
    cell: (file) => (
      <span className="relative flex justify-end text-left">
        <Menu trigger={<IconButton label={`Actions for ${file.filename}`} icon={Ellipsis} />}>
          <MenuItem icon={Download} onSelect={() => saveUrl(downloadUrl(file.id), file.filename)}>
            Download
          </MenuItem>
          {isUnprocessed(file) && (
            <MenuItem icon={RotateCw} onSelect={() => onRetry(file)}>
              {file.data.status === 'failed' ? 'Process again' : 'Process'}
            </MenuItem>
          )}
          <MenuLine />
          <MenuItem icon={Trash2} tone="bad" onSelect={() => onDelete(file)}>
            Delete
          </MenuItem>
        </Menu>
      </span>
    ),
  },
]
