/** The audit log. */
import { getRouteApi } from '@tanstack/react-router'
import { AuditTable } from '#features/console/audit-table.tsx'
import { Panel } from '#ui/layout.tsx'
import { PageTitle } from '#ui/page-title.tsx'
import { SearchInput } from '#ui/search-input.tsx'
import { useListSearch } from '../../use-list-search.ts'

const route = getRouteApi('/shell/platform/audit')

export function AuditPage() {
  const query = route.useSearch()
  const { onSearch, onPage } = useListSearch(route.useNavigate())
  return (
    <Panel
      title="Audit log"
      action={<SearchInput label="Search audit log" value={query.search ?? ''} onSearch={onSearch} />}
      isFlush
    >
      <PageTitle>Audit log</PageTitle>
      <AuditTable query={query} onPage={onPage} />
    </Panel>
  )
}
