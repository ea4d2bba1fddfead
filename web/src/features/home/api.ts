/**
 * What Home shows: documents and approvals that wait for the viewer, failed runs, recent chats and documents, and what a
 * new company still lacks.
 */

import * as chatsEndpoints from '@chancery/contract/endpoints/chats.ts'
import * as organizationsEndpoints from '@chancery/contract/endpoints/organizations.ts'
import * as runsEndpoints from '@chancery/contract/endpoints/runs.ts'
import * as signingEndpoints from '@chancery/contract/endpoints/signing.ts'
import * as workflowsEndpoints from '@chancery/contract/endpoints/workflows.ts'
import { guideId } from '@chancery/contract/models/models.ts'
import { useQuery } from '@tanstack/react-query'
import { useModels } from '#data/models.ts'
import { call } from '#lib/http/call.ts'

const shown = 5
/** Runs fail and ask for approval without any action in this tab. */
const refetchInterval = 30_000
const weekMs = 7 * 86_400_000

export const useWaitingApprovals = () =>
  useQuery({
    queryKey: ['home', 'approvals'],
    queryFn: () => call(runsEndpoints.listApprovals, { query: { state: 'open', limit: shown } }),
    refetchInterval,
  })

export const useDocumentsToSign = () =>
  useQuery({
    queryKey: ['home', 'inbox'],
    queryFn: () => call(signingEndpoints.listInbox),
    select: ({ data }) => data.slice(0, shown),
    refetchInterval,
  })

/** Those that nobody has retried or replayed. */
export const useFailedRuns = () =>
  useQuery({
    queryKey: ['home', 'runs'],
    queryFn: () => {
      const from = Math.floor((Date.now() - weekMs) / 1000)
      const filter = { status: 'failed,timed_out', unresolved: 'true', from, limit: shown }
      return call(runsEndpoints.listRuns, { query: filter })
    },
    select: ({ data }) => data,
    refetchInterval,
  })

export const useRecentChats = () =>
  useQuery({
    queryKey: ['home', 'chats'],
    queryFn: () => call(chatsEndpoints.listChats, { query: { limit: shown } }),
    select: ({ items }) => items.map(({ id, title, updated_at }) => ({ id, title, at: updated_at })),
  })

/** Usually enough for the documents that changed since yesterday. */
export const documentsQuery = (state?: 'DECLINED' | 'EXPIRED') => ({
  queryKey: ['home', 'documents', state],
  queryFn: () => call(signingEndpoints.listDocuments, { query: { state, sort: '-updated', limit: 100 } }),
  refetchInterval,
})

interface RunFilter {
  from: number
  status: string | undefined
  is_test: string
  limit: number
}

export const runsQuery = (filter: RunFilter) => ({
  queryKey: ['home', 'runs-since', filter],
  queryFn: () => call(runsEndpoints.listRuns, { query: { ...filter } }),
  refetchInterval,
})

export const useRecentDocuments = () =>
  useQuery({
    ...documentsQuery(),
    select: ({ data }) => data.slice(0, shown).map(({ id, title, updatedAt }) => ({ id, title, at: updatedAt })),
  })

/** Whether each first step is done; undefined until all are known. */
export function useFirstSteps() {
  const models = useModels()
  const team = useQuery({
    queryKey: ['team', 'count'],
    queryFn: () => call(organizationsEndpoints.listTeam, { query: { limit: 1 } }),
  })
  const workflows = useQuery({
    queryKey: ['home', 'workflows'],
    queryFn: () => call(workflowsEndpoints.listWorkflows, { query: { limit: 1 } }),
  })
  if (!models.data || !team.data || !workflows.data) return undefined
  return {
    hasModel: models.data.some(({ id }) => id !== guideId),
    hasColleagues: team.data.totals.members + team.data.totals.invitations > 1,
    hasWorkflow: workflows.data.total > 0,
  }
}
