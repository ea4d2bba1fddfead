/**
 * What Home shows: documents and approvals that wait for the viewer, failed runs, recent chats and documents, and what a
 * new company still lacks.
 */
import { ChatList } from '@chancery/contract/chats.ts'
import { guideId, ModelList } from '@chancery/contract/models.ts'
import { DocumentList } from '@chancery/contract/signing-documents.ts'
import { InboxReply } from '@chancery/contract/signing-inbox.ts'
import { Team } from '@chancery/contract/team.ts'
import { AllRunsList, ApprovalList } from '@chancery/contract/workflow-runs.ts'
import { WorkflowList } from '@chancery/contract/workflows.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '#lib/http/api.ts'
import { withQuery } from '#lib/http/with-query.ts'

const shown = 5
/** Runs fail and ask for approval without any action in this tab. */
export const refetchInterval = 30_000
const weekMs = 7 * 86_400_000

export const useWaitingApprovals = () =>
  useQuery({
    queryKey: ['home', 'approvals'],
    queryFn: () => api.get(withQuery('/api/v1/approvals', { state: 'open', limit: shown }), ApprovalList),
    refetchInterval,
  })

export const useDocumentsToSign = () =>
  useQuery({
    queryKey: ['home', 'inbox'],
    queryFn: () => api.get('/api/signing/inbox', InboxReply),
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
      return api.get(withQuery('/api/v1/agent-runs', filter), AllRunsList)
    },
    select: ({ data }) => data,
    refetchInterval,
  })

export const useRecentChats = () =>
  useQuery({
    queryKey: ['home', 'chats'],
    queryFn: () => api.get(withQuery('/api/v1/chats/', { limit: shown }), ChatList),
    select: ({ items }) => items.map(({ id, title, updated_at }) => ({ id, title, at: updated_at })),
  })

/** Usually enough for the documents that changed since yesterday. */
export const documentsQuery = (state?: 'DECLINED' | 'EXPIRED') => ({
  queryKey: ['home', 'documents', state],
  queryFn: () => api.get(withQuery('/api/signing/documents', { state, sort: '-updated', limit: 100 }), DocumentList),
  refetchInterval,
})

export const useRecentDocuments = () =>
  useQuery({
    ...documentsQuery(),
    select: ({ data }) => data.slice(0, shown).map(({ id, title, updatedAt }) => ({ id, title, at: updatedAt })),
  })

/** Whether each first step is done; undefined until all are known. */
export function useFirstSteps() {
  const models = useQuery({ queryKey: ['models'], queryFn: async () => (await api.get('/api/models', ModelList)).data })
  const team = useQuery({
    queryKey: ['team', 'count'],
    queryFn: () => api.get(withQuery('/api/org/team', { limit: 1 }), Team),
  })
  const workflows = useQuery({
    queryKey: ['home', 'workflows'],
    queryFn: () => api.get(withQuery('/api/v1/agent-workflows', { limit: 1 }), WorkflowList),
  })
  if (!models.data || !team.data || !workflows.data) return undefined
  return {
    hasModel: models.data.some(({ id }) => id !== guideId),
    hasColleagues: team.data.totals.members + team.data.totals.invitations > 1,
    hasWorkflow: workflows.data.total > 0,
  }
}
