/** One run, live. The selected node is in the URL. */
import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { useWorkflow } from '#features/workflows/api.ts'
import { RunScreen } from '#features/workflows/runs/run-screen.tsx'
import { useShortcuts } from '#lib/keyboard/keyboard.ts'
import { PageTitle } from '#ui/page/page-title.tsx'
import { runLinks } from '../../links.ts'

const route = getRouteApi('/shell/workflows/$workflowId/runs/$runId')

export function RunPage() {
  const { workflowId, runId } = route.useParams()
  const { step } = route.useSearch()
  const navigate = route.useNavigate()
  const name = useWorkflow(workflowId).data?.name
  const onNode = useCallback(
    (node: string | undefined) => void navigate({ search: node === undefined ? {} : { step: node }, replace: true }),
    [navigate],
  )
  const onElsewhere = useCallback(
    (elsewhere: string) =>
      void navigate({ params: { workflowId: elsewhere, runId }, search: (now) => now, replace: true }),
    [navigate, runId],
  )
  useShortcuts(
    useMemo(
      () => (step === undefined ? [] : [{ keys: 'Escape', label: 'Back to run', run: () => onNode(undefined) }]),
      [step, onNode],
    ),
  )
  return (
    <>
      <PageTitle>{name === undefined ? 'Run' : `Run of ${name}`}</PageTitle>
      <RunScreen
        key={runId}
        workflowId={workflowId}
        runId={runId}
        nodeId={step}
        links={runLinks}
        onNode={onNode}
        onTriggers={() => void navigate({ to: '/workflows/$workflowId/triggers', params: { workflowId } })}
        onRetried={(next) => void navigate({ params: { workflowId, runId: next }, search: {} })}
        onElsewhere={onElsewhere}
      />
    </>
  )
}
