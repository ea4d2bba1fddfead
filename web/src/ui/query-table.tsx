/** A list query as a table, with its four states and pagination. */
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorPanel } from './states.tsx'
import { type Column, Pager, Table, TableSkeleton } from './table.tsx'

interface QueryTableProps<Row> {
  label: string
  query: UseQueryResult<{ items: Row[]; total: number }>
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string
  empty: ReactNode
  paging?: { page: number; limit: number; onPage: (page: number) => void }
}

export function QueryTable<Row>({ label, query, columns, empty, paging, ...rest }: QueryTableProps<Row>) {
  if (query.isPending) return <TableSkeleton columns={columns.length} />
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
      {items.length === 0 ? empty : <Table label={label} columns={columns} rows={items} {...rest} />}
      {paging && <Pager {...paging} total={total} />}
    </div>
  )
}
