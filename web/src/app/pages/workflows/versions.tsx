/** Versions of a workflow. The compared sides and the selected change are in the URL. */
import type { VersionItem } from '@chancery/contract/workflows/workflows.ts'
import { getRouteApi } from '@tanstack/react-router'
import { Camera } from 'lucide-react'
import { useCallback, useState } from 'react'
import { useWorkflow } from '#features/workflows/api.ts'
import { ComparePanel } from '#features/workflows/versions/compare-panel.tsx'
import { RollbackDialog } from '#features/workflows/versions/rollback-dialog.tsx'
import { SnapshotDialog } from '#features/workflows/versions/snapshot-dialog.tsx'
import { VersionsPanel } from '#features/workflows/versions/versions-panel.tsx'
import { Button } from '#ui/button/button.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'

const route = getRouteApi('/shell/workflows/$workflowId/versions')

export function VersionsPage() {
  const { workflowId } = route.useParams()
  const { from, to, node } = route.useSearch()
  const navigate = route.useNavigate()
  const workflow = useWorkflow(workflowId)
  const [isTaking, setTaking] = useState(false)
  const [target, setTarget] = useState<VersionItem>()
  const compare = useCallback(
    (one: string, other: string) => void navigate({ search: { from: one, to: other }, resetScroll: true }),
    [navigate],
  )
  const select = useCallback(
    (key: string | undefined) =>
      void navigate({
        search: ({ node: _, ...rest }) => (key === undefined ? rest : { ...rest, node: key }),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  )
  return (
    <>
      <PageTitle>{`${workflow.data?.name ?? 'Workflow'}: versions`}</PageTitle>
      {from !== undefined && to !== undefined && (
        <ComparePanel
          workflowId={workflowId}
          from={from}
          to={to}
          selected={node}
          onCompare={compare}
          onSelect={select}
          onTriggers={() => void navigate({ to: '/workflows/$workflowId/triggers', params: { workflowId } })}
          onClose={() => void navigate({ search: {} })}
        />
      )}
      <VersionsPanel
        workflowId={workflowId}
        fires={workflow.data?.fires ?? true}
        action={
          <Button icon={Camera} onClick={() => setTaking(true)}>
            Take snapshot
          </Button>
        }
        onCompare={compare}
        onRollBack={setTarget}
      />
      <SnapshotDialog workflowId={workflowId} isOpen={isTaking} onClose={() => setTaking(false)} />
      {workflow.data && (
        <RollbackDialog workflow={workflow.data} target={target} onClose={() => setTarget(undefined)} />
      )}
    </>
  )
}
