/** Sample values of a workflow: recent events, and the results of its nodes in a past run. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { PastOutputs } from '../completion/known-values.ts'
import type { HintSamples } from '../completion/path-hints.ts'
import { useEventChoices } from '../run-now/use-event-choices.ts'
import { runQuery, useRecentRuns } from '../runs/api.ts'
import { lastSteps } from '../runs/live-run.ts'

/** Of the last successful run, or of the newest one. */
function usePastOutputs(workflowId: string): PastOutputs {
  const runs = useRecentRuns(workflowId).data?.data ?? []
  const run = runs.find(({ status }) => status === 'succeeded') ?? runs[0]
  // Its steps may have been deleted.
  const { data } = useQuery({ ...runQuery(run?.id ?? ''), enabled: run !== undefined, retry: false })
  return useMemo(() => {
    const steps = data ? [...lastSteps(data)] : []
    return Object.fromEntries(
      steps.flatMap(([id, { status, output }]) => (status === 'succeeded' ? [[id, output] as const] : [])),
    )
  }, [data])
}

export function useSamples(workflowId: string): HintSamples {
  const { events, startsOtherwise } = useEventChoices(workflowId)
  const outputs = usePastOutputs(workflowId)
  return useMemo(() => ({ events, outputs, startsOtherwise }), [events, outputs, startsOtherwise])
}
