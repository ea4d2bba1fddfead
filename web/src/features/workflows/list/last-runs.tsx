/** The results of the last runs, oldest first, as small bars with a text alternative. */
import type { RunStatus } from '@chancery/contract/workflows/runs.ts'
import type { WorkflowListItem } from '@chancery/contract/workflows/workflows.ts'
import { cx } from '#ui/class-names.ts'
import type { Tone } from '#ui/values/badge.tsx'
import { runLabels } from '#ui/values/run-labels.ts'
import { Time } from '#ui/values/time.tsx'

const unknown = { label: 'Unknown', tone: 'plain' } as const
const wordsOf = (status: string) => runLabels[status as RunStatus] ?? unknown

/** Failures are also taller, so the bars can be read without colour. */
const looks: Record<Tone, string> = {
  plain: 'h-3 bg-rule',
  good: 'h-3 bg-ok',
  warn: 'h-3 bg-warn',
  bad: 'h-4.5 bg-bad',
  seal: 'h-3 bg-seal animate-breathe',
}

export function LastRuns({ runs }: { runs: WorkflowListItem['last_runs'] }) {
  const [newest] = runs
  if (!newest) return <span className="whitespace-nowrap text-faint">No runs yet</span>
  const statusText = runs.map(({ status }) => wordsOf(status).label.toLowerCase()).join(', ')
  return (
    <span className="inline-flex items-center gap-2.5 align-middle">
      <span
        role="img"
        aria-label={`Last runs, newest first: ${statusText}`}
        className="inline-flex h-4.5 items-center gap-0.5"
      >
        {runs.toReversed().map(({ id, status }) => (
          <span
            key={id}
            title={wordsOf(status).label}
            className={cx('w-1.5 rounded-full', looks[wordsOf(status).tone])}
          />
        ))}
      </span>
      <span className="text-faint text-sm">
        <Time at={newest.created_at} />
      </span>
    </span>
  )
}
