/** The tools that a reply used, in order: each with its input, output and time. */

import { formatJson } from '#lib/text/json-summary.ts'
import { formatDuration } from '#lib/time/durations.ts'
import { cx } from '#ui/class-names.ts'
import type { ToolCall } from '../history/steps.ts'
import { Detail } from './detail.tsx'
import { Fold } from './fold.tsx'

interface ToolStepsProps {
  calls: readonly ToolCall[]
  isRunning: boolean
}

export function ToolSteps({ calls, isRunning }: ToolStepsProps) {
  if (calls.length === 0) return null
  return (
    <ol aria-label="Tool calls" className="flex flex-col gap-1.5">
      {calls.map((call, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: calls are only appended
        <li key={index}>
          <Step call={call} isRunning={isRunning && call.output === undefined} />
        </li>
      ))}
    </ol>
  )
}

function Step({ call: { name, input, output, durationMs }, isRunning }: { call: ToolCall; isRunning: boolean }) {
  const summary = (
    <>
      <span className={cx('truncate', isRunning && 'shimmer')}>
        {isRunning ? 'Using' : 'Used'} <span className="font-mono">{name}</span>
      </span>
      {durationMs !== undefined && <span className="figures shrink-0 text-xs">{formatDuration(durationMs)}</span>}
    </>
  )
  return (
    <Fold summary={summary}>
      <div className="flex flex-col gap-3">
        <Detail label="Input" text={formatJson(input)} />
        <Detail label="Output" text={output === undefined ? '' : formatJson(output)} />
      </div>
    </Fold>
  )
}
