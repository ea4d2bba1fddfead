/** A table's header: sorts by column and selects all rows. On narrow screens only what can be used is visible. */
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import type { RefObject } from 'react'
import { isDescending, nextSort, sortKey } from '#lib/rows/row-order.ts'
import { cx } from '#ui/class-names.ts'
import { type Column, cellPadding, roles, sortNameOf } from './table-column.ts'

export interface SelectAll {
  ref: RefObject<HTMLInputElement | null>
  state: 'none' | 'some' | 'all'
  onToggle: () => void
}

interface TableHeadProps<Row> {
  columns: readonly Column<Row>[]
  sort: string | undefined
  onSort: (sort: string | undefined) => void
  selectAll: SelectAll | undefined
}

export function TableHead<Row>({ columns, sort, onSort, selectAll }: TableHeadProps<Row>) {
  const isUsable = selectAll !== undefined || columns.some((column) => column.sort !== undefined)
  return (
    <thead
      {...roles.group}
      className={cx(
        'bg-surface @2xl:sticky @2xl:top-0 @2xl:z-10',
        isUsable ? '@max-2xl:block @max-2xl:border-b' : '@max-2xl:sr-only',
      )}
    >
      <tr
        {...roles.row}
        className="@2xl:border-b @max-2xl:flex @max-2xl:flex-wrap @max-2xl:items-center @max-2xl:gap-x-4 @max-2xl:px-5 @max-2xl:py-1.5"
      >
        {selectAll && <SelectAllHead {...selectAll} />}
        {columns.map((column) => (
          <Head key={column.head} column={column} sort={sort} onSort={onSort} />
        ))}
      </tr>
    </thead>
  )
}

interface HeadProps<Row> extends Omit<TableHeadProps<Row>, 'columns' | 'selectAll'> {
  column: Column<Row>
}

function Head<Row>({ column, sort, onSort }: HeadProps<Row>) {
  const { head, isWideOnly, isActions } = column
  const name = sortNameOf(column)
  const isSorted = name !== undefined && sort !== undefined && sortKey(sort) === name
  const direction = isSorted && sort !== undefined && isDescending(sort) ? 'descending' : 'ascending'
  return (
    <th
      {...roles.head}
      scope="col"
      aria-sort={isSorted ? direction : undefined}
      className={cx(
        'whitespace-nowrap font-medium text-faint text-xs @2xl:py-2',
        cellPadding,
        isWideOnly && '@max-4xl:hidden',
        name === undefined && '@max-2xl:sr-only',
      )}
    >
      {name === undefined ? (
        <span className={isActions ? 'sr-only' : undefined}>{head}</span>
      ) : (
        <button
          type="button"
          title={`Sort by ${head.toLowerCase()}`}
          onClick={() => onSort(nextSort(sort, name))}
          className={cx(
            'group -mx-1 inline-flex items-center gap-1 rounded px-1 py-0.5 font-medium hover:text-ink',
            isSorted && 'text-ink',
          )}
        >
          {head}
          <SortIcon direction={isSorted ? direction : undefined} />
        </button>
      )}
    </th>
  )
}

function SortIcon({ direction }: { direction: 'ascending' | 'descending' | undefined }) {
  if (direction === undefined)
    return <ChevronsUpDown aria-hidden className="size-3 opacity-50 group-hover:opacity-100" />
  const Icon = direction === 'ascending' ? ArrowUp : ArrowDown
  return <Icon aria-hidden className="size-3" />
}

function SelectAllHead({ ref, state, onToggle }: SelectAll) {
  return (
    <th {...roles.head} scope="col" className="@2xl:w-px @2xl:py-2 @2xl:pl-5">
      <input
        ref={(element) => {
          ref.current = element
          if (element) element.indeterminate = state === 'some'
        }}
        type="checkbox"
        aria-label="Select all on this page"
        checked={state === 'all'}
        onChange={onToggle}
        className="block size-4 accent-seal"
      />
    </th>
  )
}
