/** The attachments of the message being written. */
import { FileText, FolderOpen, ImageIcon, type LucideIcon, X } from 'lucide-react'
import { formatBytes } from '#lib/text/bytes.ts'
import { IconButton } from '#ui/button/button.tsx'
import { cx } from '#ui/class-names.ts'
import { fileUrl } from './api.ts'
import type { MessageFile } from './message-files.ts'
import type { Attached } from './use-attachments.ts'

export const fileIcons: Record<MessageFile['type'], LucideIcon> = {
  file: FileText,
  image: ImageIcon,
  collection: FolderOpen,
}

interface AttachedChipsProps {
  items: readonly Attached[]
  onRemove: (key: string) => void
}

export function AttachedChips({ items, onRemove }: AttachedChipsProps) {
  if (items.length === 0) return null
  return (
    <ul aria-label="Attachments" className="flex flex-wrap gap-2 px-4 pt-3">
      {items.map((item) => (
        <Chip key={item.key} item={item} onRemove={() => onRemove(item.key)} />
      ))}
    </ul>
  )
}

const wordOf = ({ state, sent, size, type }: Attached): string | undefined => {
  if (state === 'sending') return `${Math.round(sent * 100)}%`
  if (state === 'processing') return 'Reading…'
  if (type === 'collection') return 'Collection'
  return size === undefined ? undefined : formatBytes(size)
}

function Chip({ item, onRemove }: { item: Attached; onRemove: () => void }) {
  const { id, name, type, state, error } = item
  const Icon = fileIcons[type]
  const isFailed = state === 'failed'
  return (
    <li
      aria-busy={state === 'sending' || state === 'processing'}
      className={cx(
        'flex max-w-full items-center gap-2 rounded-control border py-1 pr-1 pl-2.5 text-sm',
        isFailed ? 'border-bad/30 bg-bad-wash' : 'bg-sunken',
      )}
    >
      {type === 'image' && id !== undefined ? (
        <img src={fileUrl(id)} alt="" className="size-6 shrink-0 rounded-sm object-cover" />
      ) : (
        <Icon aria-hidden className="size-3.5 shrink-0 text-faint" />
      )}
      <span className="max-w-60 truncate">{name}</span>
      {isFailed ? (
        <span className="text-bad">{error ?? 'This file can’t be used.'}</span>
      ) : (
        <span className={cx('figures text-faint text-xs', state !== 'ready' && 'shimmer')}>{wordOf(item)}</span>
      )}
      <IconButton label={`Remove ${name}`} icon={X} isTiny onClick={onRemove} />
    </li>
  )
}
