/** The files of a message, by name; images as small pictures. */
import { FileText, FolderOpen, ImageIcon, type LucideIcon } from 'lucide-react'
import { use } from 'react'
import { formatBytes } from '#lib/bytes.ts'
import { fileUrl } from '../attachments/message-files.ts'
import type { Attachment } from '../history/parts.ts'
import { SharedFilesContext } from './thread-context.ts'

const icons: Record<string, LucideIcon> = { image: ImageIcon, collection: FolderOpen }
const newTab = { target: '_blank', rel: 'noopener noreferrer' } as const

export function FileChips({ files }: { files: readonly Attachment[] }) {
  if (files.length === 0) return null
  return (
    <ul aria-label="Files" className="flex flex-wrap gap-1.5">
      {files.map((file, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the files of a message never reorder
        <li key={index}>
          <FileChip file={file} />
        </li>
      ))}
    </ul>
  )
}

function FileChip({ file: { id, url, name, type, size } }: { file: Attachment }) {
  const sharedUrl = use(SharedFilesContext)
  if (type === 'image' && id !== undefined) {
    const src = (sharedUrl ?? fileUrl)(id)
    return (
      <a href={src} {...newTab}>
        <Picture src={src} name={name} />
      </a>
    )
  }
  if (url?.startsWith('data:')) return <Picture src={url} name={name} />
  const href = url ?? (type === 'file' && id !== undefined ? (sharedUrl ?? fileUrl)(id) : undefined)
  const Icon = icons[type] ?? FileText
  return (
    <span className="flex items-center gap-2 rounded-full border bg-surface px-3 py-1 text-sm">
      <Icon aria-hidden className="size-3.5 shrink-0 text-faint" />
      {href === undefined ? (
        <span className="max-w-60 truncate">{name}</span>
      ) : (
        <a href={href} {...newTab} className="max-w-60 truncate underline underline-offset-4">
          {name}
        </a>
      )}
      {size !== undefined && <span className="figures text-faint text-xs">{formatBytes(size)}</span>}
    </span>
  )
}

const Picture = ({ src, name }: { src: string; name: string }) => (
  <img src={src} alt={name} className="max-h-48 max-w-60 rounded-panel border object-contain" />
)
