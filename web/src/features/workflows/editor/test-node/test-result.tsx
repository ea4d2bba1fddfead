/** The result of a test of one node, as it comes in. */

import { ErrorPanel } from '#ui/feedback/states.tsx'
import { JsonView } from '#ui/values/json-view.tsx'
import { toneColours } from '../../graph/marks.ts'
import { attemptsOf, isOver } from '../../runs/live-run.ts'
import { Problem } from '../../runs/run-panel.tsx'
import { detailOf, labelOf, toneOf } from '../../runs/step-labels.ts'
import { useLiveRun } from '../../runs/use-live-run.ts'

export function TestResult({ runId, nodeId }: { runId: string; nodeId: string }) {
  const { query } = useLiveRun(runId)
  const run = query.data
  if (!run) return query.isError ? <ErrorPanel error={query.error} onRetry={query.refetch} /> : <Running />
  const step = attemptsOf(run, nodeId).at(-1)
  if (!step)
    return isOver(run) ? <Problem text={run.error ?? 'The run ended before it reached this node.'} /> : <Running />
  const detail = detailOf(step, run)
  return (
    <section aria-label="Result of the test" aria-live="polite" className="flex flex-col gap-3">
      <p className="figures text-soft text-sm">
        <span className="font-medium" style={{ color: toneColours[toneOf(step)] }}>
          {labelOf(step)}
        </span>
        {detail !== '' && ` · ${detail}`}
      </p>
      {step.error !== null && <Problem text={step.error} />}
      {step.warnings.length > 0 && <p className="text-sm text-warn">{step.warnings.join(' ')}</p>}
      {step.finished_at !== null && <JsonView label="Output" value={step.output} />}
    </section>
  )
}

const Running = () => (
  <p role="status" className="text-soft text-sm">
    Running…
  </p>
)
