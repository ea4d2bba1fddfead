/** Settings every node has: retries, time limit, and what happens when it fails. */
import { Segmented } from '#ui/form/choices.tsx'
import { useNodeConfig } from '../rows/config-context.ts'
import { DurationRow } from '../rows/value-rows.tsx'
import { Collapsible } from './collapsible.tsx'
import { RetryFields } from './retry-fields.tsx'

const outcomes = [
  { value: 'fail', label: 'Fail the run' },
  { value: 'continue', label: 'Continue with “error”' },
] as const

const daySec = 86_400

export function FailureSection() {
  const { nodeId, config, problems, change } = useNodeConfig()
  const isSet = ['retry', 'timeout_sec', 'on_error'].some((name) => config[name] !== undefined || problems.has(name))
  return (
    <Collapsible title="Retries, time limit and failure" isOpen={isSet}>
      <div className="flex flex-col gap-4">
        <div className="flex flex-col gap-1.5">
          <p className="font-medium text-sm">When all attempts fail</p>
          <Segmented
            legend="When all attempts fail"
            name={`on-error-${nodeId}`}
            value={config.on_error === 'continue' ? 'continue' : 'fail'}
            options={outcomes}
            onChange={(value) => change({ on_error: value === 'fail' ? undefined : value })}
          />
        </div>
        <RetryFields
          path="config.retry"
          value={config.retry}
          problem={problems.get('retry')}
          onValue={(retry) => change({ retry })}
        />
        <DurationRow
          name="timeout_sec"
          label="Time limit"
          isOptional
          maxSec={daySec}
          help="Per attempt. Time spent waiting for people or events doesn’t count."
        />
      </div>
    </Collapsible>
  )
}
