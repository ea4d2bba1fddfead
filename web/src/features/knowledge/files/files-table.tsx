/** The viewer's own files, wherever they were uploaded. */
import type { FileRecord } from '@chancery/contract/files/files.ts'
import { Download, RotateCw, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { saveUrl } from '#lib/browser/save-file.ts'
import { formatBytes } from '#lib/text/bytes.ts'
import type { RowActions } from '#ui/actions/row-action.ts'
import { QueryTable } from '#ui/table/query-table.tsx'
import type { Column } from '#ui/table/table.tsx'
import { Time } from '#ui/values/time.tsx'
import { downloadUrl, fileCalls, filesLimit, type ListQuery, useFiles, useRefreshFiles } from '../api.ts'
import { FileName, FileState } from '../file-state.tsx'

interface FilesTableProps {
  query: ListQuery & { status?: string | undefined }
  empty: ReactNode
  onPage: (page: number) => void
  onSort: (sort: string | undefined) => void
  onOpen: (fileId: string) => void
}

export function FilesTable({ query, empty, onPage, onSort, onOpen }: FilesTableProps) {
  const refresh = useRefreshFiles()
  return (
    <QueryTable
      label="Files"
      query={useFiles(query)}
      columns={columnsOf(onOpen)}
      keyOf={({ id }) => id}
      empty={empty}
      paging={{ page: query.page ?? 1, limit: filesLimit, onPage }}
      order={{ sort: query.sort, onSort }}
      actions={{ ...actions, refresh }}
    />
  )
}

/** Files that were never processed, or where it failed. */
const isUnprocessed = ({ data }: FileRecord) => data.status !== 'completed' && data.status !== 'pending'

const actions: Omit<RowActions<FileRecord>, 'refresh'> = {
  nouns: ['file', 'files'],
  nameOf: ({ filename }) => filename,
  list: [
    { label: 'Download', icon: Download, open: ({ id, filename }) => saveUrl(downloadUrl(id), filename) },
    {
      label: 'Process',
      labelFor: ({ data }) => (data.status === 'failed' ? 'Process again' : 'Process'),
      icon: RotateCw,
      done: 'being processed',
      doneFor: ({ filename }) => `“${filename}” is being processed`,
      isFor: isUnprocessed,
      call: ({ id }) => fileCalls.process(id),
    },
    {
      label: 'Delete',
      icon: Trash2,
      tone: 'bad',
      done: 'deleted',
      ask: {
        title: (what) => `Delete ${what}?`,
        one: () => 'It’s also removed from every collection that holds it, and chats can’t read it any more.',
        many: 'They’re also removed from every collection that holds them, and chats can’t read them any more.',
        button: 'Delete file',
      },
      call: ({ id }) => fileCalls.remove(id),
    },
  ],
}

const columnsOf = (onOpen: (fileId: string) => void): Column<FileRecord>[] => [
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
]
