/** The list of workflows. */
import { WorkflowStatus } from '@chancery/contract/workflows/workflows.ts'
import { getRouteApi } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useCallback, useMemo } from 'react'
import { NewWorkflowDialog } from '#features/workflows/list/new-dialog.tsx'
import { WorkflowTable } from '#features/workflows/list/workflow-table.tsx'
import { workflowLabels } from '#features/workflows/status-badge.tsx'
import { useShortcuts } from '#lib/keyboard/keyboard.ts'
import { Button } from '#ui/button/button.tsx'
import { Empty } from '#ui/feedback/states.tsx'
import { Segmented } from '#ui/form/choices.tsx'
import { SearchInput } from '#ui/form/search-input.tsx'
import { PageHeader, Panel } from '#ui/page/layout.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'
import { Page } from '../../frames/page.tsx'
import { useListSearch } from '../../use-list-search.ts'
import { AreaTabs } from './area-tabs.tsx'

const route = getRouteApi('/shell/workflows/')

const statuses = [
  { value: 'all', label: 'All' },
  ...WorkflowStatus.options.map((value) => ({ value, label: workflowLabels[value].label })),
]
const hrefOf = (id: string) => `/workflows/${id}`

export function WorkflowsPage() {
  const { search, status: wanted, page, sort, new: isNew } = route.useSearch()
  const navigate = route.useNavigate()
  const { onPage, onSort } = useListSearch(navigate)
  const status = WorkflowStatus.safeParse(wanted).data
  const open = useCallback(() => void navigate({ search: (now) => ({ ...now, new: true as const }) }), [navigate])
  const close = () => void navigate({ search: ({ new: _, ...rest }) => rest, replace: true })
  const onSearch = useCallback(
    (text: string) =>
      void navigate({
        search: ({ search: _, page: __, ...rest }) => (text === '' ? rest : { ...rest, search: text }),
        replace: true,
      }),
    [navigate],
  )
  const onStatus = (value: string) =>
    void navigate({
      search: ({ status: _, page: __, ...rest }) => (value === 'all' ? rest : { ...rest, status: value }),
      replace: true,
    })
  const goTo = ({ id }: { id: string }) =>
    void navigate({ to: '/workflows/$workflowId', params: { workflowId: id }, search: {} })
  useShortcuts(useMemo(() => [{ keys: 'n', label: 'New workflow', run: open }], [open]))
  const newButton = (
    <Button look="primary" icon={Plus} onClick={open}>
      New workflow
    </Button>
  )
  const isFiltered = search !== undefined || status !== undefined
  return (
    <Page isWide>
      <PageTitle>Workflows</PageTitle>
      <PageHeader
        title="Workflows"
        hint="Automate work step by step with agents, tools and approvals."
        action={newButton}
      />
      <AreaTabs />
      <Panel
        title="All workflows"
        isFlush
        action={
          <div className="flex flex-wrap gap-3 max-sm:w-full">
            <Segmented legend="Status" name="status" value={status ?? 'all'} options={statuses} onChange={onStatus} />
            <SearchInput label="Search workflows" value={search ?? ''} onSearch={onSearch} />
          </div>
        }
      >
        <WorkflowTable
          query={{ search, status, page, sort }}
          hrefOf={hrefOf}
          onMade={goTo}
          onPage={onPage}
          onSort={onSort}
          empty={
            isFiltered ? (
              <Empty title="No matching workflows" hint="Search covers names and descriptions." />
            ) : (
              <Empty
                title="No workflows yet"
                hint="Build one step by step, or start from a template."
                action={newButton}
              />
            )
          }
        />
      </Panel>
      <NewWorkflowDialog isOpen={isNew === true} onMade={goTo} onClose={close} />
    </Page>
  )
}
