/**
 * Remembers for a few seconds what a recipient's page shows, keyed by the link's hash: it is read far more often than
 * anything is signed. A change on this node is seen by the next request; other nodes are told by the database's triggers
 * as it commits, and the short life bounds what a lost signal could cost. Only showing the page uses this: files,
 * downloads and every action ask the database.
 */
import type { Clock } from '#kernel/clock.ts'
import type { Signals } from '#kernel/db/signals.ts'

const lifeMs = 4000
const capacity = 1000
/** A page can hold drawn signatures of any size. */
const maxPageChars = 32_768

interface Shown<Page> {
  page: Page
  documentId: string
  /** When it becomes wrong by itself; 0: it must not be remembered. */
  untilMs: number
}

export interface PageCache<Page> {
  /** The remembered page, or the one that `load` finds. */
  get(linkHash: string, load: () => Promise<Shown<Page>>): Promise<Page>
  /** Runs a change of a document. When it returns, this node shows the new state. */
  change<Result>(documentId: string, work: () => Promise<Result>): Promise<Result>
}

export const createPageCache = <Page>({ clock, signals }: { clock: Clock; signals: Pick<Signals, 'on'> }) => {
  const entries = new Map<string, Shown<Page>>()
  /** Raised by every change, so that a page that was read before a change is not remembered after it. */
  let changes = 0
  const forget = (documentId: string | undefined): void => {
    changes += 1
    for (const [linkHash, entry] of entries)
      if (documentId === undefined || entry.documentId === documentId) entries.delete(linkHash)
  }
  const remember = (linkHash: string, shown: Shown<Page>): void => {
    const nowMs = clock.now().getTime()
    if (shown.untilMs <= nowMs || JSON.stringify(shown.page).length > maxPageChars) return
    const oldest = entries.keys().next()
    if (entries.size >= capacity && !oldest.done) entries.delete(oldest.value)
    entries.set(linkHash, { ...shown, untilMs: Math.min(shown.untilMs, nowMs + lifeMs) })
  }
  signals.on('signing.page', forget)
  const cache: PageCache<Page> = {
    get: async (linkHash, load) => {
      const entry = entries.get(linkHash)
      if (entry && clock.now().getTime() < entry.untilMs) return entry.page
      entries.delete(linkHash)
      const before = changes
      const shown = await load()
      if (changes === before) remember(linkHash, shown)
      return shown.page
    },
    change: async (documentId, work) => {
      try {
        return await work()
      } finally {
        forget(documentId)
      }
    },
  }
  return cache
}
