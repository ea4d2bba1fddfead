/**
 * The frame of one workflow: name, status, tabs, and the run button. The editor and a run fill the window; other tabs
 * use the page width.
 */
import { getRouteApi, Link, Outlet, useChildMatches, useNavigate } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useWorkflow } from '#features/workflows/api.ts'
import { ApiError } from '#lib/problems/api-error.ts'
import { buttonLook } from '#ui/button/button.tsx'
import { cx } from '#ui/class-names.ts'
import { ErrorPanel, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { PageHeader, TabLinks } from '#ui/page/layout.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'
import { Page } from '../../frames/page.tsx'
import { FrameHeader } from './frame-header.tsx'

const route = getRouteApi('/shell/workflows/$workflowId')

const tabs = [
  { label: 'Editor', to: '/workflows/$workflowId', isExact: true },
  { label: 'Triggers', to: '/workflows/$workflowId/triggers' },
  { label: 'Review', to: '/workflows/$workflowId/review' },
  { label: 'Versions', to: '/workflows/$workflowId/versions' },
  { label: 'Runs', to: '/workflows/$workflowId/runs' },
  { label: 'Statistics', to: '/workflows/$workflowId/stats' },
] as const

/** The editor and a run. */
const canvases = new Set<string | undefined>([
  '/shell/workflows/$workflowId/',
  '/shell/workflows/$workflowId/runs/$runId',
])

const isGone = (error: unknown) => error instanceof ApiError && error.status === 404

const windowHigh = 'h-[calc(100dvh-3.75rem-env(safe-area-inset-bottom))] max-sm:-mb-20 sm:h-dvh'

export function WorkflowFrame() {
  const { workflowId } = route.useParams()
  const workflow = useWorkflow(workflowId)
  // Asks for the rendered route, not the URL: a tab that is still loading must not unmount the editor.
  const isFilled = useChildMatches({ select: (matches) => canvases.has(matches.at(-1)?.routeId) })
  const navigate = useNavigate()
  if (workflow.isPending) return <FrameSkeleton />
  // A workflow deleted elsewhere is gone here too; after any other error the loaded data stays on screen.
  if (workflow.isError && (workflow.data === undefined || isGone(workflow.error)))
    return <Missing error={workflow.error} onRetry={workflow.refetch} />
  return (
    <div className={cx('flex flex-col', isFilled && windowHigh)}>
      <header className="shrink-0 border-b bg-surface px-4 pt-3 sm:px-6">
        <FrameHeader
          workflow={workflow.data}
          onMade={({ id }) => void navigate({ to: '/workflows/$workflowId', params: { workflowId: id } })}
          onDeleted={() => void navigate({ to: '/workflows' })}
          onStarted={({ id }) =>
            void navigate({ to: '/workflows/$workflowId/runs/$runId', params: { workflowId, runId: id } })
          }
        />
        <div className="-mb-px [&_ul]:border-b-0">
          <TabLinks label="Workflow" tabs={tabs} />
        </div>
      </header>
      {isFilled ? (
        <div className="flex min-h-0 flex-1 flex-col">
          <Outlet />
        </div>
      ) : (
        <Page isWide>
          <Outlet />
        </Page>
      )}
    </div>
  )
}

const Missing = ({ error, onRetry }: { error: Error; onRetry: () => unknown }) => (
  <Page>
    <PageTitle>Workflow</PageTitle>
    <PageHeader title="Workflow" />
    <ErrorPanel error={error} onRetry={onRetry} />
    <Link to="/workflows" className={cx(buttonLook('plain'), 'self-start')}>
      <ArrowLeft aria-hidden className="size-4" /> All workflows
    </Link>
  </Page>
)

const FrameSkeleton = () => (
  <Loading label="Loading workflow">
    <PageTitle>Workflow</PageTitle>
    <div className="flex flex-col gap-4 border-b bg-surface px-4 pt-4 pb-3 sm:px-6">
      <Skeleton className="h-7 w-72" />
      <Skeleton className="h-4 w-96 max-w-full" />
    </div>
    <Skeleton className="m-6 h-96 rounded-panel" />
  </Loading>
)
