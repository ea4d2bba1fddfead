/** A file's state in one word, with how far processing is. */
import type { FileRecord, Progress } from '@chancery/contract/files/files.ts'
import { Badge } from '#ui/values/badge.tsx'

const stages: Record<string, string> = { extracting: 'Reading', embedding: 'Indexing' }

const progressText = ({ stage, done, total }: Progress): string => {
  const word = stages[stage] ?? 'Processing'
  return total === null || total === 0 ? word : `${word} ${Math.round((done / total) * 100)}%`
}

interface FileStateProps {
  file: Pick<FileRecord, 'data'>
  progress?: Progress | undefined
}

export function FileState({ file: { data }, progress }: FileStateProps) {
  if (data.status === 'completed') return <Badge tone="good">Ready</Badge>
  if (data.status === 'failed') return <Badge tone="bad">Failed</Badge>
  if (data.status === undefined) return <Badge>Stored</Badge>
  return <Badge tone="warn">{progress ? progressText(progress) : 'Processing'}</Badge>
}

interface FileNameProps {
  file: FileRecord & { path?: string | undefined }
  onOpen: () => void
}

/** The name, or the path in a synced folder, and why a file failed. */
export function FileName({ file, onOpen }: FileNameProps) {
  const { status, error } = file.data
  const name = <PathName path={file.path ?? file.filename} />
  return (
    <span className="block min-w-0 [overflow-wrap:anywhere]">
      {status === 'completed' ? (
        <button
          type="button"
          onClick={onOpen}
          className="text-left font-medium underline decoration-transparent underline-offset-4 hover:decoration-seal"
        >
          {name}
        </button>
      ) : (
        <span className="font-medium">{name}</span>
      )}
      {status === 'failed' && error !== undefined && <span className="block text-bad text-sm">{error}</span>}
    </span>
  )
}

/** Folders are fainter than the name. */
const PathName = ({ path }: { path: string }) => {
  const end = path.lastIndexOf('/') + 1
  return (
    <>
      {end > 0 && <span className="font-normal text-faint">{path.slice(0, end)}</span>}
      {path.slice(end)}
    </>
  )
}
