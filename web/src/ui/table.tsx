/**
 * A table: sticky header, loading skeleton, empty state, pagination. On narrow screens each row becomes a card: its
 * name and actions first, the rest below.
 */
import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from './button.tsx'
import { cx } from './class-names.ts'
import { Loading, Skeleton } from './states.tsx'

interface ColumnHead {
  head: string
  /** Hidden on narrow screens. */
  isWideOnly?: boolean
  /** Actions: the heading is for screen readers only. */
  isActions?: boolean
  /** A value that needs no heading in a card. */
  isPlain?: boolean
}

export interface Column<Row> extends ColumnHead {
  cell: (row: Row) => ReactNode
}

interface TableProps<Row> {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
}

/** Browsers drop table semantics when it is laid out as cards, so explicit roles are set. */
const as = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  head: { role: 'columnheader' },
  cell: { role: 'cell' },
} as const

const cellLook = ({ isWideOnly, isActions, isPlain }: ColumnHead, index: number) =>
  cx(
    'py-2 align-middle [overflow-wrap:anywhere] @max-2xl:py-1 @2xl:px-5',
    isWideOnly && '@max-4xl:hidden',
    isActions && 'w-px text-right @max-2xl:order-1 @max-2xl:w-auto',
    index === 0 && '@max-2xl:min-w-0 @max-2xl:flex-1 @max-2xl:basis-[calc(100%-8rem)]',
    index > 0 && !isActions && '@max-2xl:order-2 @max-2xl:py-0 @max-2xl:text-soft @max-2xl:text-sm',
    index > 0 && !isActions && !isPlain && '@max-2xl:before:text-faint @max-2xl:before:content-[attr(data-head)_"_"]',
  )

export function Table<Row>({ label, columns, rows, keyOf }: TableProps<Row>) {
  return (
    <div className="@container">
      <table {...as.table} aria-label={label} className="figures w-full border-collapse text-left @max-2xl:block">
        <TableHead columns={columns} />
        <tbody {...as.group} className="@max-2xl:block">
          {rows.map((row) => (
            <tr
              {...as.row}
              key={keyOf(row)}
              className="border-b last:border-b-0 hover:bg-sunken @max-2xl:flex @max-2xl:flex-wrap @max-2xl:items-center @max-2xl:after:order-1 @max-2xl:after:basis-full @max-2xl:gap-x-4 @max-2xl:px-5 @max-2xl:py-2.5"
            >
              {columns.map((column, index) => (
                <td {...as.cell} key={column.head} data-head={column.head} className={cellLook(column, index)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function TableHead({ columns }: { columns: readonly ColumnHead[] }) {
  return (
    <thead {...as.group} className="bg-surface @max-2xl:sr-only @2xl:sticky @2xl:top-0 @2xl:z-10">
      <tr {...as.row} className="border-b">
        {columns.map(({ head, isWideOnly, isActions }) => (
          <th
            {...as.head}
            key={head}
            scope="col"
            className={cx(
              'whitespace-nowrap px-5 py-2 font-medium text-faint text-xs',
              isWideOnly && '@max-4xl:hidden',
            )}
          >
            {isActions ? <span className="sr-only">{head}</span> : head}
          </th>
        ))}
      </tr>
    </thead>
  )
}

export function TableSkeleton({ columns, rows = 5 }: { columns: number; rows?: number }) {
  return (
    <Loading label="Loading">
      <div className="@container">
        {Array.from({ length: rows }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
          <div key={row} className="flex items-center gap-5 border-b px-5 py-3.5 last:border-b-0">
            {Array.from({ length: columns }, (_, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
              <Skeleton key={column} className={cx('h-3.5', column === 0 ? 'flex-[2]' : 'flex-1 @max-2xl:hidden')} />
            ))}
          </div>
        ))}
      </div>
    </Loading>
  )
}

interface PagerProps {
  page: number
  limit: number
  total: number
  onPage: (page: number) => void
}

export function Pager({ page, limit, total, onPage }: PagerProps) {
  const last = Math.max(1, Math.ceil(total / limit))
  if (last === 1) return null
  const from = (page - 1) * limit + 1
  return (
    <nav aria-label="Pages" className="flex items-center justify-between border-t px-5 py-2">
      <p className="figures text-faint text-sm">
        {from}–{Math.min(page * limit, total)} of {total}
      </p>
      <div className="flex gap-1">
        <IconButton label="Previous page" icon={ChevronLeft} disabled={page <= 1} onClick={() => onPage(page - 1)} />
        <IconButton label="Next page" icon={ChevronRight} disabled={page >= last} onClick={() => onPage(page + 1)} />
      </div>
    </nav>
  )
}
