/** Draft, in review, published: the current stage and who moved it there. */
import { Check } from 'lucide-react'
import { cx } from '#ui/class-names.ts'
import { Time } from '#ui/values/time.tsx'
import type { Stage } from './review-labels.ts'

export const Stepper = ({ stages }: { stages: readonly Stage[] }) => (
  <ol aria-label="Review stages" className="grid gap-4 sm:grid-cols-3 sm:gap-0">
    {stages.map((stage, index) => (
      <li
        key={stage.status}
        aria-current={stage.state === 'current' ? 'step' : undefined}
        className="flex gap-3 sm:flex-col sm:gap-2"
      >
        <span aria-hidden className="flex items-center max-sm:mt-0.5 max-sm:items-start">
          <Dot state={stage.state} />
          {index < stages.length - 1 && (
            <span className={cx('h-px flex-1 max-sm:hidden', stage.state === 'done' ? 'bg-ink' : 'bg-line')} />
          )}
        </span>
        <div className="min-w-0 sm:pr-6">
          <p className={cx('font-medium', stage.state === 'ahead' && 'text-soft')}>
            {stage.title}
            {stage.state === 'done' && <span className="sr-only"> (done)</span>}
          </p>
          <p className="text-faint text-sm">
            {stage.note} {stage.at !== undefined && <Time at={stage.at} />}
          </p>
        </div>
      </li>
    ))}
  </ol>
)

function Dot({ state }: { state: Stage['state'] }) {
  if (state === 'done')
    return (
      <span className="flex size-5 items-center justify-center rounded-full bg-ink text-surface">
        <Check className="size-3" />
      </span>
    )
  return (
    <span
      className={cx(
        'flex size-5 items-center justify-center rounded-full border-2',
        state === 'current' ? 'border-seal' : 'border-line',
      )}
    >
      {state === 'current' && <span className="size-2 rounded-full bg-seal" />}
    </span>
  )
}
