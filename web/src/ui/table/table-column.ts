import type { ReactNode } from 'react'
import type { SortValue } from '#lib/rows/row-order.ts'

export interface ColumnHead {
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
  /** Makes the column sortable: by this value for a list that is loaded as a whole, by the server's name for a paged one. */
  sort?: string | ((row: Row) => SortValue)
}

/** Between columns; narrower where the table has little room. The ends line up with the panel around it. */
export const cellPadding = '@2xl:px-3 @2xl:first:pl-5 @2xl:last:pr-5 @5xl:px-5'

/** The name of the column's order. */
export const sortNameOf = <Row>({ sort, head }: Column<Row>): string | undefined =>
  typeof sort === 'function' ? head : sort

/** Browsers drop table semantics when it is laid out as cards, so explicit roles are set. */
export const roles = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  head: { role: 'columnheader' },
  cell: { role: 'cell' },
} as const
