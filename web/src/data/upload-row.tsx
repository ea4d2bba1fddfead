/** One upload of the tab, with its progress. */
import { RotateCw, X } from 'lucide-react'
import { dropUpload, retryUpload, type Upload } from '#data/uploads.ts'
import { formatBytes } from '#lib/text/bytes.ts'
import { IconButton } from '#ui/button/button.tsx'

const wordOf = ({ state, sent }: Upload): string => {
  if (state === 'queued') return 'Waiting'
  return sent < 1 ? `${Math.round(sent * 100)}%` : 'Saving'
}

export function UploadRow({ upload }: { upload: Upload }) {
  const { id, source, state, sent, error } = upload
  const isFailed = state === 'failed'
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-5 py-2">
      <span className="min-w-0 flex-1 basis-40 truncate">{source.name}</span>
      {isFailed ? (
        <span className="text-bad text-sm">{error}</span>
      ) : (
        <>
          <span className="figures text-faint text-sm">{formatBytes(source.size)}</span>
          <progress aria-label={`Upload of ${source.name}`} value={sent} max={1} className="h-1.5 w-28 accent-seal" />
          <span className="figures w-14 text-right text-soft text-sm">{wordOf(upload)}</span>
        </>
      )}
      <span className="flex">
        {isFailed && (
          <IconButton label={`Upload ${source.name} again`} icon={RotateCw} isTiny onClick={() => retryUpload(id)} />
        )}
        <IconButton
          label={isFailed ? `Dismiss ${source.name}` : `Cancel upload of ${source.name}`}
          icon={X}
          isTiny
          onClick={() => dropUpload(id)}
        />
      </span>
    </li>
  )
}
