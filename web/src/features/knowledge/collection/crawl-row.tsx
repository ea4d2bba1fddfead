/** The latest crawl into a collection: how far it is, or what came of it. */
import type { Crawl } from '@chancery/contract/files/knowledge.ts'
import { counted } from '#lib/text/counted.ts'
import { Button } from '#ui/button/button.tsx'
import { useCancelCrawl, useLatestCrawl } from '../api.ts'

export function CrawlRow({ collectionId, canWrite }: { collectionId: string; canWrite: boolean }) {
  const { data: crawl } = useLatestCrawl(collectionId)
  const cancel = useCancelCrawl(collectionId)
  if (!crawl) return null
  const { url, state, pages, problems } = crawl
  const isRunning = state === 'running'
  const visited = pages.added + pages.skipped + pages.failed
  return (
    <section aria-label="Web pages" className="flex flex-col gap-2 border-b px-5 py-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <span className="min-w-0 flex-1 basis-40 truncate">{url}</span>
        {isRunning && (
          <progress
            aria-label={`Pages of ${url}`}
            value={visited}
            max={visited + pages.waiting}
            className="h-1.5 w-28 accent-seal"
          />
        )}
        <span role="status" className={state === 'failed' ? 'text-bad text-sm' : 'figures text-soft text-sm'}>
          {summaryOf(crawl)}
        </span>
        {isRunning && canWrite && (
          <Button size="small" isPending={cancel.isPending} onClick={() => cancel.mutate(undefined)}>
            Stop
          </Button>
        )}
      </div>
      {problems.length > 0 && (
        <details className="text-sm">
          <summary className="cursor-pointer text-faint">
            {counted(pages.skipped + pages.failed, 'page')} not added
          </summary>
          <ul className="mt-1 flex flex-col gap-1 text-soft">
            {problems.map((one) => (
              <li key={one.url} className="break-all">
                {one.url}: {one.reason}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

const summaryOf = ({ state, error, pages }: Crawl): string => {
  const added = counted(pages.added, 'page')
  if (state === 'running') return `Adding pages: ${pages.added} added, ${pages.waiting} to go`
  if (state === 'failed') return error ?? 'Couldn’t add the pages.'
  return state === 'cancelled' ? `Stopped after ${added}` : `${added} added`
}
