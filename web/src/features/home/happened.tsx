/** The panel of events since yesterday. */
import { HrefLink, subtleLink } from '#ui/button/href-link.tsx'
import { ErrorPanel, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { useHappenings } from './use-happenings.ts'

export function Happened() {
  const { data, error, isPending, refetch } = useHappenings()
  return (
    <Panel title="Since yesterday">
      {isPending && (
        <Loading label="Loading what happened">
          <Skeleton className="h-5 w-3/5" />
        </Loading>
      )}
      {error && <ErrorPanel error={error} onRetry={refetch} />}
      {data?.length === 0 && <p className="text-soft">Nothing happened yet.</p>}
      <ul className="flex flex-col gap-1.5">
        {data?.map(({ text, href, isBad }) => (
          <li key={text} className={isBad ? 'text-bad' : undefined}>
            <HrefLink href={href} className={subtleLink}>
              {text}
            </HrefLink>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
