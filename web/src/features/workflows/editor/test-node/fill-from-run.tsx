/** Takes the outputs of an earlier run as the sample. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatRelative } from '#lib/time/times.ts'
import { Field } from '#ui/form/field.tsx'
import { Select } from '#ui/form/inputs.tsx'
import { runLabels } from '#ui/values/run-labels.ts'
import { runQuery, useRecentRuns } from '../../runs/api.ts'
import { outputsOf } from './test-draft.ts'

interface FillFromRunProps {
  workflowId: string
  /** The nodes whose outputs are wanted. */
  nodeIds: readonly string[]
  onFill: (outputs: Record<string, unknown>) => void
}

export function FillFromRun({ workflowId, nodeIds, onFill }: FillFromRunProps) {
  const runs = useRecentRuns(workflowId)
  const queryClient = useQueryClient()
  const [runId, setRunId] = useState('')
  const fill = useMutation({
    mutationFn: async (id: string) => {
      const outputs = outputsOf(await queryClient.fetchQuery(runQuery(id)), nodeIds)
      if (Object.keys(outputs).length > 0) onFill(outputs)
      return outputs
    },
  })
  if (runs.isPending || runs.data?.data.length === 0) return null
  const isEmpty = fill.data !== undefined && Object.keys(fill.data).length === 0
  const problem = runs.isError
    ? 'Couldn’t load recent runs.'
    : fill.isError
      ? 'Couldn’t load that run. Its steps may have been deleted.'
      : isEmpty
        ? 'That run has no outputs of the nodes before this one.'
        : undefined
  return (
    <Field label="Fill with the outputs of a run" name="test-run" isOptional problem={problem}>
      <Select
        value={runId}
        disabled={fill.isPending}
        onChange={({ target }) => {
          setRunId(target.value)
          if (target.value !== '') fill.mutate(target.value)
        }}
      >
        <option value="">Choose a run</option>
        {runs.data?.data.map(({ id, status, created_at }) => (
          <option key={id} value={id}>
            {runLabels[status].label} · {formatRelative(new Date(created_at * 1000), new Date())}
          </option>
        ))}
      </Select>
    </Field>
  )
}
