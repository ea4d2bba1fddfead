/** The runs of a workflow, newest first: result, trigger, duration and cost. */
import { type RunItem, RunStatus } from '@chancery/contract/workflow-runs.ts'
import type { ReactNode } from 'react'
import { runLabels } from '#lib/run-labels.ts'
import { Button } from '#ui/button.tsx'
import { HrefLink, subtleLink } from '#ui/href-link.tsx'
import { Panel } from '#ui/layout.tsx'
import { Empty, ErrorPanel } from '#ui/states.tsx'
import { type Column, Table, TableSkeleton } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { RunStatusBadge } from '../status-badge.tsx'
import { useRuns } from './api.ts'
import { ReplayButton } from './replay-button.tsx'
import { RunDuration } from './run-duration.tsx'
import type { RunLinks } from './run-links.ts'
import { TriggerWord } from './run-reason.tsx'
import { formatCost, tokensOf } from './step-labels.ts'

interface RunsPanelProps {
  workflowId: string
  status: RunStatus | undefined
  onStatus: (status: RunStatus | undefined) => void
  links: RunLinks
}

export function RunsPanel({ workflowId, status, onStatus, links }: RunsPanelProps) {
  const runs = useRuns(workflowId, status)
  const items = runs.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <Panel
      title="Runs"
      action={
        <div className="flex flex-wrap items-center gap-3">
          {isReplayable(status) && items.length > 0 && <ReplayButton workflowId={workflowId} status={status} />}
          <StatusFilter status={status} onStatus={onStatus} />
        </div>
      }
      isFlush
    >
      {runs.isPending && <TableSkeleton columns={7} />}
      {runs.isError && runs.data === undefined && (
        <div className="px-5 pb-5">
          <ErrorPanel error={runs.error} onRetry={runs.refetch} />
        </div>
      )}
      {runs.isSuccess && items.length === 0 && <Nothing status={status} onAll={() => onStatus(undefined)} />}
      {items.length > 0 && <Table label="Runs" columns={columnsOf(links)} rows={items} keyOf={({ id }) => id} />}
      {runs.hasNextPage && (
        <div className="flex justify-center border-t py-3">
          <Button size="small" isPending={runs.isFetchingNextPage} onClick={() => void runs.fetchNextPage()}>
            Load older runs
          </Button>
        </div>
      )}
    </Panel>
  )
}

const isReplayable = (status: RunStatus | undefined): status is RunStatus =>
  status === 'failed' || status === 'timed_out' || status === 'cancelled'

const columnsOf = (links: RunLinks): Column<RunItem>[] => [
  {
    head: 'Run',
    cell: ({ id, workflow_id, status, error, created_at }) => (
      <span className="flex flex-col items-start gap-1">
        <HrefLink
          href={links.run(workflow_id, id)}
          className="flex items-center gap-2 font-medium hover:[&_time]:underline"
        >
          <RunStatusBadge status={status} />
          <Time at={created_at} />
        </HrefLink>
        {error !== null && <span className="line-clamp-2 text-bad text-sm">{error}</span>}
      </span>
    ),
  },
  { head: 'Started by', isPlain: true, cell: ({ trigger }) => <TriggerWord trigger={trigger} /> },
  { head: 'Version', cell: ({ version, is_test }) => (is_test ? 'Test' : `v${version}`) },
  { head: 'Duration', cell: (run) => <RunDuration run={run} /> },
  { head: 'Tokens', cell: (run) => <Quiet>{tokensOf(run) === 0 ? '–' : tokensOf(run).toLocaleString('en')}</Quiet> },
  { head: 'Cost', cell: (run) => <Quiet>{formatCost(run, run.currency) || '–'}</Quiet> },
  {
    head: 'Process',
    isWideOnly: true,
    cell: ({ correlation_id }) =>
      correlation_id === null ? (
        <Quiet>–</Quiet>
      ) : (
        <HrefLink
          href={links.timeline(correlation_id)}
          className={`line-clamp-1 max-w-48 font-mono text-xs ${subtleLink}`}
        >
          {correlation_id}
        </HrefLink>
      ),
  },
]

const Quiet = ({ children }: { children: ReactNode }) => <span className="figures whitespace-nowrap">{children}</span>

interface StatusFilterProps {
  status: RunStatus | undefined
  onStatus: (status: RunStatus | undefined) => void
}

const StatusFilter = ({ status, onStatus }: StatusFilterProps) => (
  <label className="flex items-center gap-2 text-soft text-sm">
    Show
    <select
      value={status ?? ''}
      onChange={({ target }) => onStatus(RunStatus.safeParse(target.value).data)}
      className="h-8 rounded-control border border-b-rule bg-surface px-2 text-ink"
    >
      <option value="">All runs</option>
      {RunStatus.options.map((one) => (
        <option key={one} value={one}>
          {runLabels[one].label}
        </option>
      ))}
    </select>
  </label>
)

const Nothing = ({ status, onAll }: { status: RunStatus | undefined; onAll: () => void }) =>
  status === undefined ? (
    <Empty
      title="No runs yet"
      hint="Publish the workflow, then run it now or add a trigger. Each run is kept here with the input and output of its nodes."
    />
  ) : (
    <Empty
      title={`No runs with status “${runLabels[status].label}”`}
      hint="Runs with other statuses are hidden by the filter."
      action={<Button onClick={onAll}>Show all runs</Button>}
    />
  )
