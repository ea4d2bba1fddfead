/** A number that is loading, failed or loaded. */
import type { UseQueryResult } from '@tanstack/react-query'
import { Skeleton } from '#ui/feedback/states.tsx'

const figures = new Intl.NumberFormat('en')

interface CountProps<T> {
  query: UseQueryResult<T>
  of: (reply: T) => number
}

export function Count<T>({ query, of }: CountProps<T>) {
  if (query.isPending) return <Skeleton className="inline-block h-[0.8em] w-6" />
  if (query.isError) return <span title={query.error.message}>–</span>
  return <span className="figures">{figures.format(of(query.data))}</span>
}
