/** The current status of a reply. What was reported before it opens on demand. */
import { cx } from '#ui/class-names.ts'
import type { StatusLine } from '../history/steps.ts'
import { Fold } from './fold.tsx'

interface StatusHistoryProps {
  line: StatusLine
  /** Nothing is in progress any more, even if the tool never said so. */
  isOver: boolean
}

export function StatusHistory({ line: { current, history }, isOver }: StatusHistoryProps) {
  if (!current) return null
  const look = current.isDone || isOver ? 'text-soft' : 'shimmer'
  // The last one is the current one.
  const earlier = history.slice(0, -1)
  if (earlier.length === 0) return <p className={cx('text-sm', look)}>{current.description}</p>
  return (
    <Fold summary={<span className={look}>{current.description}</span>}>
      <ol aria-label="Earlier statuses" className="flex flex-col gap-1 text-soft">
        {earlier.map(({ description }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: statuses are only appended
          <li key={index}>{description}</li>
        ))}
      </ol>
    </Fold>
  )
}
