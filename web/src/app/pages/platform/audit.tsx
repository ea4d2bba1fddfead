/** The audit log. */
import { getRouteApi } from '@tanstack/react-router'
import { AuditFilter } from '#features/console/audit-filter.tsx'
import { AuditTable } from '#features/console/audit-table.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'
import { useListSearch } from '../../use-list-search.ts'

const route = getRouteApi('/shell/platform/audit')

export function AuditPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const list = useListSearch(navigate)
  return (
    <Panel title="Audit log" isFlush>
      <PageTitle>Audit log</PageTitle>
      <AuditFilter
        search={search}
        // A new filter starts at page one.
        onFilter={(name, value) =>
          void navigate({
            search: ({ page: _page, [name]: _before, ...others }) =>
              value === '' ? others : { ...others, [name]: value },
            replace: true,
          })
        }
      />
      <AuditTable query={search} list={list} />
    </Panel>
  )
}
