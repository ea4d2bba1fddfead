/** A list query as a table, with its four states and pagination. */
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { ErrorPanel } from '#ui/feedback/states.tsx'
import { lastPage, Pager } from './pager.tsx'
import { Table, type TableProps, TableSkeleton } from './table.tsx'

interface QueryTableProps<Row> extends Omit<TableProps<Row>, 'rows'> {
  query: UseQueryResult<{ items: Row[]; total: number }>
  empty: ReactNode
  paging?: { page: number; limit: number; onPage: (page: number) => void }
}

export function QueryTable<Row>({ query, empty, paging, ...table }: QueryTableProps<Row>) {
  useExistingPage(query, paging)
  if (query.isPending) return <TableSkeleton columns={table.columns.length + (table.actions ? 1 : 0)} />
  const { data } = query
  return (
    <div aria-busy={query.isPlaceholderData} className={query.isPlaceholderData ? 'opacity-60' : undefined}>
      {/* Above what was loaded before: the table keeps its selection, and the list of rows for which an action failed. */}
      {query.isError && (
        <div className="px-5 pb-5">
          <ErrorPanel error={query.error} onRetry={query.refetch} />
        </div>
      )}
      {data && (data.items.length === 0 ? empty : <Table rows={data.items} {...table} />)}
      {data && paging && <Pager {...paging} total={data.total} />}
    </div>
  )
}

/** Goes to the last page when the rows of this one are gone, so that a list with rows never looks empty. */
function useExistingPage<Row>(query: QueryTableProps<Row>['query'], paging: QueryTableProps<Row>['paging']) {
  const total = query.isPlaceholderData ? undefined : query.data?.total
  const last = paging && total !== undefined ? lastPage(total, paging.limit) : undefined
  const isGone = paging !== undefined && last !== undefined && paging.page > last
  useEffect(() => {
    if (isGone) paging.onPage(last)
  })
}
