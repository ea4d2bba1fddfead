/**
 * A table: sticky header, sorting, selection with actions for several rows, loading skeleton. On narrow
 * screens each row becomes a card: its name and actions first, the rest below.
 */
import { useRef, useState } from 'react'
import { listedKeys, useShortcuts } from '#lib/keyboard/keyboard.ts'
import { sortKey, sortRows } from '#lib/rows/row-order.ts'
import { useSelection } from '#lib/rows/selection.ts'
import { BulkBar } from '#ui/actions/bulk-bar.tsx'
import { actionsForMany, actionsForOne, type RowActions } from '#ui/actions/row-action.ts'
import { RowActionsCell } from '#ui/actions/row-actions-cell.tsx'
import { useRowActions } from '#ui/actions/use-row-actions.tsx'
import { cx } from '#ui/class-names.ts'
import { Loading, Skeleton } from '#ui/feedback/states.tsx'
import { type Column, type ColumnHead, cellPadding, roles, sortNameOf } from './table-column.ts'
import { TableHead } from './table-head.tsx'

export type { Column } from './table-column.ts'

export interface TableProps<Row> {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** The order in which the server sent the rows. Without it, the table sorts what it has. */
  order?: { sort: string | undefined; onSort: (sort: string | undefined) => void }
  /** The last column, and what selected rows are for. */
  actions?: RowActions<Row>
}

const cellLook = ({ isWideOnly, isActions, isPlain }: ColumnHead, index: number) =>
  cx(
    'py-2 align-middle [overflow-wrap:anywhere] @max-2xl:py-1',
    cellPadding,
    isWideOnly && '@max-4xl:hidden',
    isActions && 'w-px text-right @max-2xl:order-1 @max-2xl:w-auto',
    index === 0 && '@max-2xl:min-w-0 @max-2xl:flex-1 @max-2xl:basis-[calc(100%-10rem)]',
    index > 0 && !isActions && '@max-2xl:order-2 @max-2xl:py-0 @max-2xl:text-soft @max-2xl:text-sm',
    index > 0 && !isActions && !isPlain && '@max-2xl:before:text-faint @max-2xl:before:content-[attr(data-head)_"_"]',
  )

const rowLook =
  'border-b last:border-b-0 hover:bg-sunken @max-2xl:flex @max-2xl:flex-wrap @max-2xl:items-center @max-2xl:after:order-1 @max-2xl:after:basis-full @max-2xl:gap-x-4 @max-2xl:px-5 @max-2xl:py-2.5'

const none: [] = []
const noActions: RowActions<unknown> = { nouns: ['', ''], nameOf: () => '', list: none, refresh: async () => undefined }
/** Listed for the help page only: the browser's checkboxes do these by themselves. */
const selectionKeys = listedKeys('In tables', { Space: 'Select row', 'shift+Space': 'Select all rows in between' })

export function Table<Row>({ label, columns: values, rows, keyOf, order, actions = noActions }: TableProps<Row>) {
  const runner = useRowActions(actions)
  const canSelect = actionsForMany(actions).length > 0
  const columns: readonly Column<Row>[] =
    actionsForOne(actions).length === 0
      ? values
      : [
          ...values,
          {
            head: 'Actions',
            isActions: true,
            cell: (row) => <RowActionsCell row={row} actions={actions} runner={runner} />,
          },
        ]
  const [ownSort, setOwnSort] = useState<string>()
  const { sort, onSort } = order ?? { sort: ownSort, onSort: setOwnSort }
  const shown = order ? rows : sortedRows(rows, columns, ownSort)
  const ids = shown.map(keyOf)
  const { chosen, choose, toggle } = useSelection(ids)
  const allRef = useRef<HTMLInputElement>(null)
  useShortcuts(canSelect ? selectionKeys : none)
  const selected = shown.filter((row) => chosen.has(keyOf(row)))
  const isAll = selected.length === shown.length
  const selectAll = canSelect
    ? {
        ref: allRef,
        state: isAll ? ('all' as const) : selected.length > 0 ? ('some' as const) : ('none' as const),
        onToggle: () => choose(new Set(isAll ? [] : ids)),
      }
    : undefined
  return (
    <div className="@container">
      <table {...roles.table} aria-label={label} className="figures w-full border-collapse text-left @max-2xl:block">
        <TableHead columns={columns} sort={sort} onSort={onSort} selectAll={selectAll} />
        <tbody {...roles.group} className="@max-2xl:block">
          {shown.map((row) => (
            <tr
              {...roles.row}
              key={keyOf(row)}
              className={cx(rowLook, canSelect && chosen.has(keyOf(row)) && 'bg-sunken')}
            >
              {canSelect && (
                <td {...roles.cell} className="@2xl:w-px @2xl:pl-5">
                  <input
                    type="checkbox"
                    aria-label={`Select ${actions.nameOf(row)}`}
                    checked={chosen.has(keyOf(row))}
                    onChange={({ nativeEvent }) =>
                      toggle(keyOf(row), nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
                    }
                    className="block size-4 accent-seal"
                  />
                </td>
              )}
              {columns.map((column, index) => (
                <td {...roles.cell} key={column.head} data-head={column.head} className={cellLook(column, index)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {canSelect && (
        <BulkBar
          actions={actions}
          label={label}
          rows={selected}
          keyOf={keyOf}
          onSelect={(left) => {
            choose(new Set(left.map(keyOf)))
            if (left.length === 0) allRef.current?.focus()
          }}
        />
      )}
      {runner.question}
    </div>
  )
}

const sortedRows = <Row,>(rows: readonly Row[], columns: readonly Column<Row>[], sort: string | undefined) => {
  const by = sort !== undefined && columns.find((column) => sortNameOf(column) === sortKey(sort))?.sort
  return typeof by === 'function' && sort !== undefined ? sortRows(rows, sort, by) : rows
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
