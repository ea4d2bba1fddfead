/** The runs of a workflow, newest first: result, trigger, duration and cost. */
import type { RunItem } from '@chancery/contract/workflows/runs.ts'
import type { ReactNode } from 'react'
import { Button } from '#ui/button/button.tsx'
import { HrefLink, subtleLink } from '#ui/button/href-link.tsx'
import { Empty, ErrorPanel } from '#ui/feedback/states.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { type Column, Table, TableSkeleton } from '#ui/table/table.tsx'
import { Time } from '#ui/values/time.tsx'
import { RunStatusBadge } from '../status-badge.tsx'
import { useRuns } from './api.ts'
import { RunFilters } from './filter-menu.tsx'
import { ReplayButton } from './replay-button.tsx'
import { RunDuration } from './run-duration.tsx'
import { isNarrowed, type RunFilter } from './run-filter.ts'
import type { RunLinks } from './run-links.ts'
import { TriggerWord } from './run-reason.tsx'
import { formatCost, tokensOf } from './step-labels.ts'

interface RunsPanelProps {
  workflowId: string
  filter: RunFilter
  onFilter: (filter: RunFilter) => void
  links: RunLinks
}

export function RunsPanel({ workflowId, filter, onFilter, links }: RunsPanelProps) {
  const runs = useRuns(workflowId, filter)
  const items = runs.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <Panel
      title="Runs"
      action={
        <div className="flex flex-wrap items-center gap-3">
          {isReplayable(filter) && items.length > 0 && <ReplayButton workflowId={workflowId} filter={filter} />}
          <RunFilters filter={filter} onFilter={onFilter} />
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
      {runs.isSuccess && items.length === 0 && (
        <Nothing filter={filter} onAll={() => onFilter({ statuses: [], triggers: [] })} />
      )}
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

/** Runs are replayed by status and time, not by what started them. */
const isReplayable = ({ statuses, triggers }: RunFilter): boolean =>
  triggers.length === 0 &&
  statuses.length > 0 &&
  statuses.every((status) => status === 'failed' || status === 'timed_out' || status === 'cancelled')

const columnsOf = (links: RunLinks): Column<RunItem>[] => [
  {
    head: 'Run',
    sort: ({ created_at }) => created_at,
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
  {
    head: 'Started by',
    isPlain: true,
    cell: ({ trigger }) => <TriggerWord trigger={trigger} />,
  },
  {
    head: 'Version',
    cell: ({ version, is_test }) => (is_test ? 'Test' : `v${version}`),
  },
  { head: 'Duration', sort: ({ duration_ms }) => duration_ms, cell: (run) => <RunDuration run={run} /> },
  {
    head: 'Tokens',
    sort: tokensOf,
    cell: (run) => <Quiet>{tokensOf(run) === 0 ? '–' : tokensOf(run).toLocaleString('en')}</Quiet>,
  },
  {
    head: 'Cost',
    sort: ({ cost }) => (cost === null ? null : Number(cost)),
    cell: (run) => <Quiet>{formatCost(run, run.currency) || '–'}</Quiet>,
  },
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

const Nothing = ({ filter, onAll }: { filter: RunFilter; onAll: () => void }) =>
  isNarrowed(filter) ? (
    <Empty
      title="No matching runs"
      hint="Other runs are hidden by the filters."
      action={<Button onClick={onAll}>Show all runs</Button>}
    />
  ) : (
    <Empty
      title="No runs yet"
      hint="Publish the workflow, then run it now or add a trigger. Each run is kept here with the input and output of its nodes."
    />
  )
