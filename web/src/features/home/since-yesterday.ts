/** Tells the events since yesterday in short sentences. Pure. */
import type { RunItem } from '@chancery/contract/workflows/runs.ts'
import { counted } from '#lib/text/counted.ts'

export interface Happening {
  text: string
  href: string
  isBad: boolean
}

type Run = Pick<RunItem, 'status' | 'parent_run_id'>
interface Document {
  state: string
  sentAt: string | null
  endedAt: string | null
}

/** A loaded page; `isAll` is true if it holds everything since yesterday. */
interface Loaded<Item> {
  items: readonly Item[]
  isAll: boolean
}

interface Page<Item> {
  data: readonly Item[]
  next_cursor: string | null
}

export const loadedRuns = ({ data, next_cursor }: Page<Run>): Loaded<Run> => ({
  items: data,
  isAll: next_cursor === null,
})

/** For documents that are sorted by their last change. */
export const loadedDocuments = (
  { data, next_cursor }: Page<Document & { updatedAt: string }>,
  since: Date,
): Loaded<Document> => ({
  items: data,
  isAll: next_cursor === null || data.some(({ updatedAt }) => new Date(updatedAt) < since),
})

interface Happened {
  runs: Loaded<Run>
  failedRuns: Loaded<Run>
  documents: Loaded<Document>
  declined: Loaded<Document>
  expired: Loaded<Document>
}

/** The start of the day before, where the reader is. */
export const yesterday = (now: Date): Date => new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1)

/** Runs are those since then. A run that another one started is part of it. */
export function happenings(happened: Happened, since: Date): Happening[] {
  const { runs, failedRuns, documents, declined, expired } = happened
  const isRecent = (at: string | null) => at !== null && new Date(at) >= since
  const runsIn = (loaded: Loaded<Run>, ...states: Run['status'][]) =>
    countIn(loaded, 'run', ({ status, parent_run_id }) => parent_run_id === null && states.includes(status))
  const endedAs = (loaded: Loaded<Document>, wanted: string) =>
    countIn(loaded, 'document', ({ state, endedAt }) => state === wanted && isRecent(endedAt))
  const sent = countIn(documents, 'document', ({ sentAt }) => isRecent(sentAt))
  const [workflows, list] = ['/workflows', '/documents']
  const lines = [
    { count: runsIn(runs, 'succeeded'), what: 'succeeded', href: workflows, isBad: false },
    { count: runsIn(failedRuns, 'failed', 'timed_out'), what: 'failed', href: workflows, isBad: true },
    { count: runsIn(runs, 'queued', 'running', 'waiting'), what: 'in progress', href: workflows, isBad: false },
    { count: sent, what: 'sent for signature', href: list, isBad: false },
    { count: endedAs(documents, 'COMPLETED'), what: 'completed', href: `${list}?state=COMPLETED`, isBad: false },
    { count: endedAs(declined, 'DECLINED'), what: 'declined', href: `${list}?state=DECLINED`, isBad: true },
    { count: endedAs(expired, 'EXPIRED'), what: 'expired', href: `${list}?state=EXPIRED`, isBad: true },
  ]
  return lines.flatMap(({ count, what, href, isBad }) =>
    count === undefined ? [] : [{ text: `${count} ${what}`, href, isBad }],
  )
}

/** Undefined for none. Where not everything was loaded, it says that there may be more. */
function countIn<Item>({ items, isAll }: Loaded<Item>, noun: string, isCounted: (item: Item) => boolean) {
  const count = items.filter(isCounted).length
  if (count === 0) return undefined
  return isAll ? counted(count, noun) : `At least ${counted(count, noun)}`
}
