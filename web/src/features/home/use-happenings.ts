/**
 * Runs and documents since yesterday. Failures are requested on their own, so that a busy day's successes don't crowd
 * them out.
 */
import { useQuery } from '@tanstack/react-query'
import { documentsQuery, runsQuery } from './api.ts'
import { happenings, loadedDocuments, loadedRuns, yesterday } from './since-yesterday.ts'

interface Narrowed<Value> {
  only: Value
  enabled: boolean
}

const useRuns = (since: Date, narrowed?: Narrowed<'failed,timed_out'>) => {
  const filter = { from: since.getTime() / 1000, status: narrowed?.only, is_test: 'false', limit: 200 }
  return useQuery({
    ...runsQuery(filter),
    select: loadedRuns,
    enabled: narrowed?.enabled ?? true,
  })
}

const useDocuments = (since: Date, narrowed?: Narrowed<'DECLINED' | 'EXPIRED'>) =>
  useQuery({
    ...documentsQuery(narrowed?.only),
    select: (page) => loadedDocuments(page, since),
    enabled: narrowed?.enabled ?? true,
  })

export function useHappenings() {
  const since = yesterday(new Date())
  const runs = useRuns(since)
  const documents = useDocuments(since)
  const areManyRuns = runs.data?.isAll === false
  const areManyDocuments = documents.data?.isAll === false
  const failed = useRuns(since, { only: 'failed,timed_out', enabled: areManyRuns })
  const declined = useDocuments(since, { only: 'DECLINED', enabled: areManyDocuments })
  const expired = useDocuments(since, { only: 'EXPIRED', enabled: areManyDocuments })
  const lists = {
    runs: runs.data,
    failedRuns: areManyRuns ? failed.data : runs.data,
    documents: documents.data,
    declined: areManyDocuments ? declined.data : documents.data,
    expired: areManyDocuments ? expired.data : documents.data,
  }
  const queries = [runs, documents, failed, declined, expired].filter(({ isEnabled }) => isEnabled)
  return {
    data: areLoaded(lists) ? happenings(lists, since) : undefined,
    error: queries.find(({ error }) => error !== null)?.error,
    isPending: queries.some(({ isPending }) => isPending),
    refetch: () => Promise.all(queries.map(({ refetch }) => refetch())),
  }
}

type Loaded<Lists> = { [Name in keyof Lists]: NonNullable<Lists[Name]> }

const areLoaded = <Lists extends object>(lists: Lists): lists is Lists & Loaded<Lists> =>
  Object.values(lists).every((list) => list !== undefined)
