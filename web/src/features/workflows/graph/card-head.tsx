/** The icon, name and summary of a card. Where the canvas is too small to read it, the name alone, in large letters. */
import { useStore } from '@xyflow/react'
import type { LucideIcon } from 'lucide-react'
import { cx } from '#ui/class-names.ts'
import { readableZoom } from './initial-view.ts'

interface CardHeadProps {
  icon: LucideIcon
  isRound?: boolean
  name: string
  summary: string
}

export function CardHead({ icon: Icon, isRound = false, name, summary }: CardHeadProps) {
  const isFar = useStore(({ transform: [, , zoom] }) => zoom < readableZoom)
  return (
    <>
      {!isFar && (
        <span
          className={cx(
            'flex size-8 shrink-0 items-center justify-center bg-sunken text-soft',
            isRound ? 'rounded-full' : 'rounded-control',
          )}
        >
          <Icon aria-hidden className="size-4" />
        </span>
      )}
      <span className="min-w-0 flex-1">
        <span className={cx('font-medium', isFar ? 'line-clamp-2 text-xl leading-none' : 'block truncate text-sm')}>
          {name}
        </span>
        <span className={isFar ? 'sr-only' : 'block truncate text-faint text-xs'}>{summary}</span>
      </span>
    </>
  )
}
