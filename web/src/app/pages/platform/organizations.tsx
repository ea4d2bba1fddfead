/** All organizations. */
import { getRouteApi } from '@tanstack/react-router'
import { OrganizationsTable } from '#features/console/organizations-table.tsx'
import { SearchInput } from '#ui/form/search-input.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'
import { useListSearch } from '../../use-list-search.ts'

const route = getRouteApi('/shell/platform/organizations')

export function OrganizationsPage() {
  const query = route.useSearch()
  const { onSearch, onPage, onSort } = useListSearch(route.useNavigate())
  return (
    <Panel
      title="Organizations"
      action={<SearchInput label="Search organizations" value={query.search ?? ''} onSearch={onSearch} />}
      isFlush
    >
      <PageTitle>Organizations</PageTitle>
      <OrganizationsTable query={query} onPage={onPage} onSort={onSort} />
    </Panel>
  )
}
