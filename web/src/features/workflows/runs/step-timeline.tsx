/** The steps of a run with their bars on a timeline. Selecting one shows its details. */
import type { Run } from '@chancery/contract/workflows/runs.ts'
import { formatDuration } from '#lib/time/durations.ts'
import { useNow } from '#lib/time/use-now.ts'
import { cx } from '#ui/class-names.ts'
import { toneColours } from '../graph/marks.ts'
import { detailOf, labelOf, toneOf } from './step-labels.ts'
import { type Bar, layOutBars } from './waterfall.ts'

interface StepTimelineProps {
  run: Run
  isLive: boolean
  nodeId: string | undefined
  onNode: (nodeId: string) => void
}

export function StepTimeline({ run, isLive, nodeId, onNode }: StepTimelineProps) {
  const now = useNow(isLive)
  const bars = layOutBars(run, now)
  return (
    <section
      aria-label="Steps"
      className="@container max-h-60 shrink-0 overflow-y-auto border-t bg-surface max-lg:max-h-none"
    >
      {bars.length === 0 ? (
        <p className="px-4 py-4 text-faint text-sm sm:px-6">{isLive ? 'Queued' : 'Step details have been deleted.'}</p>
      ) : (
        <ol className="py-1.5">
          {bars.map((bar) => (
            <StepRow
              key={bar.step.id}
              run={run}
              bar={bar}
              isChosen={bar.step.node_id === nodeId}
              elapsedMs={run.started_at_ms === null ? 0 : now - run.started_at_ms - bar.step.offset_ms}
              onNode={onNode}
            />
          ))}
        </ol>
      )}
    </section>
  )
}

interface StepRowProps {
  run: Run
  bar: Bar
  isChosen: boolean
  elapsedMs: number
  onNode: (nodeId: string) => void
}

function StepRow({ run, bar: { step, left, width, isOpen }, isChosen, elapsedMs, onNode }: StepRowProps) {
  const colour = toneColours[toneOf(step)]
  const detail = isOpen && step.status === 'running' ? formatDuration(Math.max(0, elapsedMs)) : detailOf(step, run)
  return (
    <li>
      <button
        type="button"
        aria-pressed={isChosen}
        onClick={() => onNode(step.node_id)}
        className={cx(
          'grid w-full grid-cols-[minmax(0,11rem)_1fr] items-center gap-x-4 px-4 py-1 text-left text-sm focus-visible:outline-offset-[-2px] sm:px-6 @2xl:grid-cols-[minmax(0,11rem)_1fr_15rem]',
          isChosen ? 'bg-sunken shadow-[inset_3px_0_0_var(--seal)]' : 'hover:bg-sunken',
        )}
      >
        <span className="truncate font-medium">{step.node_name}</span>
        <span className="relative h-2 rounded-full bg-line @max-2xl:order-3 @max-2xl:col-span-2 @max-2xl:mt-1">
          <span
            className={cx('absolute inset-y-0 rounded-full', isOpen && 'animate-breathe')}
            style={{ left: `${left}%`, width: `${width}%`, backgroundColor: colour }}
          />
        </span>
        <span className="figures truncate text-faint @max-2xl:text-right">
          <span style={{ color: colour }} className="font-medium">
            {labelOf(step)}
          </span>
          {detail !== '' && ` · ${detail}`}
        </span>
      </button>
    </li>
  )
}
