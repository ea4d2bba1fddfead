/** A list query as a table, with its four states and pagination. */
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorPanel } from './states.tsx'
import { Pager, Table, type TableProps, TableSkeleton } from './table.tsx'

interface QueryTableProps<Row> extends Omit<TableProps<Row>, 'rows'> {
  query: UseQueryResult<{ items: Row[]; total: number }>
  empty: ReactNode
  paging?: { page: number; limit: number; onPage: (page: number) => void }
}

export function QueryTable<Row>({ query, empty, paging, ...table }: QueryTableProps<Row>) {
  if (query.isPending) return <TableSkeleton columns={table.columns.length} />
  if (query.isError) {
    return (
      <div className="px-5 pb-5">
        <ErrorPanel error={query.error} onRetry={query.refetch} />
      </div>
    )
  }
  const { items, total } = query.data
  return (
    <div aria-busy={query.isPlaceholderData} className={query.isPlaceholderData ? 'opacity-60' : undefined}>
      {items.length === 0 ? empty : <Table rows={items} {...table} />}
      {paging && <Pager {...paging} total={total} />}
    </div>
  )
}
