/** All people with an account. */
import { getRouteApi } from '@tanstack/react-router'
import { UsersTable } from '#features/console/users-table.tsx'
import { SearchInput } from '#ui/form/search-input.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'
import { useListSearch } from '../../use-list-search.ts'

const route = getRouteApi('/shell/platform/users')

export function UsersPage() {
  const query = route.useSearch()
  const { onSearch, onPage, onSort } = useListSearch(route.useNavigate())
  return (
    <Panel
      title="Users"
      action={<SearchInput label="Search users" value={query.search ?? ''} onSearch={onSearch} />}
      isFlush
    >
      <PageTitle>Users</PageTitle>
      <UsersTable query={query} onPage={onPage} onSort={onSort} />
    </Panel>
  )
}
