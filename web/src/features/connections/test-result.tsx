/** The result of testing a connection. */
import type { ConnectionTest } from '@chancery/contract/models/connections.ts'
import { CircleCheck, CircleX } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { z } from 'zod'
import { hasFieldProblems } from '#lib/problems/api-error.ts'
import { ErrorPanel } from '#ui/feedback/states.tsx'
import type { useTestConnection } from './api.ts'

export function TestResult({ test }: { test: ReturnType<typeof useTestConnection> }) {
  const elementRef = useRef<HTMLDivElement>(null)
  const isFailed = test.isError && !hasFieldProblems(test.error)
  // Scrolled into view, because in a long dialog it would appear off screen.
  useEffect(() => {
    if (test.isSuccess || isFailed) elementRef.current?.scrollIntoView({ block: 'nearest' })
  }, [test.isSuccess, isFailed])
  return (
    <div ref={elementRef} aria-live="polite" className="empty:hidden">
      {isFailed && <ErrorPanel error={test.error} />}
      {test.isSuccess && <Result result={test.data} />}
    </div>
  )
}

const shown = 6

function Result({ result: { reachable, problem, latency_ms, models } }: { result: z.infer<typeof ConnectionTest> }) {
  const Icon = reachable ? CircleCheck : CircleX
  return (
    <section aria-label="Test result" className="flex gap-3 rounded-panel border bg-sunken px-4 py-3">
      <Icon aria-hidden className={`mt-0.5 size-4.5 shrink-0 ${reachable ? 'text-ok' : 'text-bad'}`} />
      <div className="min-w-0">
        <p className={`font-medium ${reachable ? 'text-ok' : 'text-bad'}`}>
          {reachable ? 'Connection works' : 'Connection failed'}
          {reachable && latency_ms !== null && ` in ${Math.round(latency_ms)} ms`}
        </p>
        {problem !== null && <p className="break-words text-sm">{problem}</p>}
        {reachable && (
          <p className="text-soft text-sm">
            {models.length === 0 && 'The connection lists no models. Add them manually.'}
            {models.length > 0 && <ModelNames models={models} />}
          </p>
        )}
      </div>
    </section>
  )
}

const ModelNames = ({ models }: { models: readonly string[] }) => (
  <>
    {models.length === 1 ? '1 model' : `${models.length} models`}:{' '}
    <span className="break-words font-mono text-xs">{models.slice(0, shown).join(', ')}</span>
    {models.length > shown && ` and ${models.length - shown} more`}
  </>
)
