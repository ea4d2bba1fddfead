/** The next run times, in the chosen time zone. */
import { cx } from '#ui/class-names.ts'
import { Skeleton } from '#ui/feedback/states.tsx'
import { Time } from '#ui/values/time.tsx'
import { formatInZone } from './zones.ts'

interface NextTimesProps {
  /** Undefined while loading. */
  times: readonly number[] | undefined
  timezone: string
  isStale?: boolean
}

export function NextTimes({ times, timezone, isStale = false }: NextTimesProps) {
  return (
    <section aria-label="Next runs" className="rounded-panel border px-3 py-2">
      <h3 className="mb-1 font-medium text-sm">Next 5 runs</h3>
      {times === undefined ? (
        <Skeleton className="my-1 h-24 w-full" />
      ) : (
        <ol aria-busy={isStale} className={cx('figures flex flex-col gap-0.5 text-sm', isStale && 'opacity-60')}>
          {times.map((time) => (
            <li key={time} className="flex justify-between gap-4">
              <span>{formatInZone(time, timezone)}</span>
              <span className="text-faint">
                <Time at={time} />
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
