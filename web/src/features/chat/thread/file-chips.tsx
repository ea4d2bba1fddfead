/** The files of a message, by name; images as small pictures. */
import { FileText, FolderOpen, ImageIcon, ImageOff, type LucideIcon } from 'lucide-react'
import { use, useState } from 'react'
import { formatBytes } from '#lib/text/bytes.ts'
import { fileUrl } from '../attachments/api.ts'
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
    return <Picture src={src} name={name} isLink />
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

interface PictureProps {
  src: string
  name: string
  /** Opens the whole picture. */
  isLink?: boolean
}

/** The file of a picture can be deleted while the message still names it. */
function Picture({ src, name, isLink = false }: PictureProps) {
  const [isMissing, setMissing] = useState(false)
  if (isMissing)
    return (
      <span className="flex items-center gap-2 rounded-full border bg-surface px-3 py-1 text-faint text-sm">
        <ImageOff aria-hidden className="size-3.5 shrink-0" />
        <span className="max-w-60 truncate">{name}</span>
        <span className="text-xs">No longer available</span>
      </span>
    )
  const picture = (
    <img
      src={src}
      alt={name}
      onError={() => setMissing(true)}
      className="max-h-48 max-w-60 rounded-panel border object-contain"
    />
  )
  if (!isLink) return picture
  return (
    <a href={src} {...newTab}>
      {picture}
    </a>
  )
}
