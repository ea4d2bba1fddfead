/** The duration of a run; counts up while it is running. */
import type { RunItem } from '@chancery/contract/workflows/runs.ts'
import { formatDuration } from '#lib/time/durations.ts'
import { useNow } from '#lib/time/use-now.ts'
import { isOver } from './live-run.ts'

export function RunDuration({ run }: { run: RunItem }) {
  const now = useNow(!isOver(run) && run.started_at_ms !== null)
  const ms = run.duration_ms ?? (run.started_at_ms === null ? null : Math.max(0, now - run.started_at_ms))
  return <span className="figures whitespace-nowrap">{ms === null ? '–' : formatDuration(ms)}</span>
}
