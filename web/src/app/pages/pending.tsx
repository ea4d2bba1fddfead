/** A loading page: the shape of a title and a panel, so nothing jumps when it arrives. */
import { Loading, Skeleton } from '#ui/feedback/states.tsx'

export function PendingPage() {
  return (
    <Loading label="Loading page">
      <div className="mx-auto flex w-full max-w-5xl flex-col gap-6 px-4 py-8 sm:px-8">
        <Skeleton className="h-8 w-56" />
        <Skeleton className="h-48 w-full rounded-panel" />
      </div>
    </Loading>
  )
}
