/** The order of a table's rows. It is written as in the API and the URL: `name`, or `-name` for descending. */

export type SortValue = string | number | null | undefined

export const isDescending = (sort: string): boolean => sort.startsWith('-')
export const sortKey = (sort: string): string => (isDescending(sort) ? sort.slice(1) : sort)

/** Each click goes one step further: ascending, descending, and back to the list's own order. */
export const nextSort = (sort: string | undefined, key: string): string | undefined => {
  if (sort === key) return `-${key}`
  return sort === `-${key}` ? undefined : key
}

const compare = (a: string | number, b: string | number): number =>
  typeof a === 'number' && typeof b === 'number'
    ? a - b
    : String(a).localeCompare(String(b), 'en', { numeric: true, sensitivity: 'base' })

/** Rows without a value come last in both directions; equal rows keep their order. */
export const sortRows = <Row>(rows: readonly Row[], sort: string, read: (row: Row) => SortValue): Row[] => {
  const sign = isDescending(sort) ? -1 : 1
  return rows
    .map((row) => ({ row, value: read(row) ?? null }))
    .sort((a, b) => {
      if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null)
      return sign * compare(a.value, b.value)
    })
    .map(({ row }) => row)
}
