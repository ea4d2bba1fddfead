/** The files of a message, by name; images as small pictures. */
import { FileText, FolderOpen, ImageIcon, type LucideIcon } from 'lucide-react'
import { formatBytes } from '#lib/bytes.ts'
import { imageUrl } from '../attachments/message-files.ts'
import type { Attachment } from '../history/parts.ts'

const icons: Record<string, LucideIcon> = { image: ImageIcon, collection: FolderOpen }

export function FileChips({ files }: { files: readonly Attachment[] }) {
  if (files.length === 0) return null
  return (
    <ul aria-label="Files" className="flex flex-wrap gap-1.5">
      {files.map(({ id, name, type, size }, index) => {
        if (type === 'image' && id !== undefined)
          return (
            <li key={id}>
              <a href={imageUrl(id)} target="_blank" rel="noopener noreferrer">
                <img src={imageUrl(id)} alt={name} className="max-h-48 max-w-60 rounded-panel border object-contain" />
              </a>
            </li>
          )
        const Icon = icons[type] ?? FileText
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the files of a message never reorder
          <li key={index} className="flex items-center gap-2 rounded-full border bg-surface px-3 py-1 text-sm">
            <Icon aria-hidden className="size-3.5 shrink-0 text-faint" />
            <span className="max-w-60 truncate">{name}</span>
            {size !== undefined && <span className="figures text-faint text-xs">{formatBytes(size)}</span>}
          </li>
        )
      })}
    </ul>
  )
}
