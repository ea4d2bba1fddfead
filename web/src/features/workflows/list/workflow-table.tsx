/** The list of workflows: status, triggers and recent runs. */
import type { Workflow, WorkflowListItem } from '@chancery/contract/workflows/workflows.ts'
import { Link } from '@tanstack/react-router'
import { Pause, Play, Zap } from 'lucide-react'
import type { KeyboardEvent, ReactNode } from 'react'
import type { RowAction } from '#ui/actions/row-action.ts'
import { QueryTable } from '#ui/table/query-table.tsx'
import type { Column } from '#ui/table/table.tsx'
import { Time } from '#ui/values/time.tsx'
import { useWorkflowList, type WorkflowListFilter } from '../api.ts'
import { WorkflowStatusBadge } from '../status-badge.tsx'
import { setAllTriggers } from '../triggers/api.ts'
import { useRefreshWorkflows } from './api.ts'
import { LastRuns } from './last-runs.tsx'
import { useWorkflowActions } from './use-workflow-actions.tsx'

interface WorkflowTableProps {
  query: WorkflowListFilter
  hrefOf: (id: string) => string
  onMade: (made: Workflow) => void
  onPage: (page: number) => void
  onSort: (sort: string | undefined) => void
  empty: ReactNode
}

const pageLimit = 50
const refreshMs = 10_000

export function WorkflowTable({ query, hrefOf, onMade, onPage, onSort, empty }: WorkflowTableProps) {
  const workflows = useWorkflowList({ ...query, limit: pageLimit }, refreshMs)
  const { actions, dialog } = useWorkflowActions({ onMade })
  const refresh = useRefreshWorkflows()
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys only move between the links of the rows
    <div onKeyDown={moveBetweenRows}>
      <QueryTable
        label="Workflows"
        query={workflows}
        columns={columnsOf(hrefOf)}
        keyOf={({ id }) => id}
        empty={empty}
        paging={{ page: query.page ?? 1, limit: pageLimit, onPage }}
        order={{ sort: query.sort, onSort }}
        actions={{ ...actions, list: [...triggerActions, ...actions.list], refresh }}
      />
      {dialog}
    </div>
  )
}

const hasTriggers = ({ trigger_count }: WorkflowListItem) => trigger_count > 0

const triggerActions: RowAction<WorkflowListItem>[] = [
  {
    label: 'Pause triggers',
    icon: Pause,
    on: 'many',
    done: 'paused',
    isFor: hasTriggers,
    ask: {
      title: (what) => `Pause the triggers of ${what}?`,
      many: 'All their triggers are turned off: nothing starts them until you turn triggers on again. Runs in progress continue.',
    },
    call: ({ id }) => setAllTriggers(id, false),
  },
  {
    label: 'Resume triggers',
    icon: Play,
    on: 'many',
    done: 'resumed',
    isFor: hasTriggers,
    ask: {
      title: (what) => `Turn on all triggers of ${what}?`,
      many: 'Triggers that were off before are turned on too.',
    },
    call: ({ id }) => setAllTriggers(id, true),
  },
]

/** Arrow keys move between rows; Enter opens, because the focus is on a link. */
function moveBetweenRows(event: KeyboardEvent<HTMLElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined || !(event.target instanceof HTMLAnchorElement)) return
  const links = [...event.currentTarget.querySelectorAll<HTMLAnchorElement>('a[data-row]')]
  const next = links[links.indexOf(event.target) + step]
  if (!next) return
  event.preventDefault()
  next.focus()
}

const columnsOf = (hrefOf: (id: string) => string): Column<WorkflowListItem>[] => [
  { head: 'Workflow', sort: 'name', cell: (workflow) => <Name workflow={workflow} href={hrefOf(workflow.id)} /> },
  { head: 'Status', isPlain: true, sort: 'status', cell: (workflow) => <Standing workflow={workflow} /> },
  { head: 'Triggers', cell: ({ trigger_count }) => trigger_count },
  { head: 'Last runs', isPlain: true, cell: ({ last_runs }) => <LastRuns runs={last_runs} /> },
  { head: 'Updated', isWideOnly: true, sort: 'updated', cell: ({ updated_at }) => <Time at={updated_at} /> },
  {
    head: 'Author',
    isWideOnly: true,
    cell: ({ author }) => <span className="whitespace-nowrap text-soft">{author.name}</span>,
  },
]

const Name = ({ workflow: { name, description }, href }: { workflow: WorkflowListItem; href: string }) => (
  <span className="block min-w-0">
    <Link
      to={href}
      data-row
      className="font-medium underline decoration-transparent underline-offset-4 hover:decoration-seal"
    >
      {name}
    </Link>
    {description !== '' && <span className="line-clamp-1 text-faint text-sm">{description}</span>}
  </span>
)

/** The review status, and whether triggers start it: these differ once a published workflow is edited. */
function Standing({ workflow: { status, fires, has_changes, live_version } }: { workflow: WorkflowListItem }) {
  return (
    <span className="inline-flex items-center gap-x-2.5">
      <WorkflowStatusBadge status={status} />
      {fires && (
        <span className="inline-flex items-center gap-1 whitespace-nowrap text-soft text-sm">
          <Zap aria-hidden className="size-3.5 text-ok" />
          {has_changes ? `Version ${live_version} live` : 'live'}
        </span>
      )}
    </span>
  )
}
