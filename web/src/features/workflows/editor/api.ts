/** What the editor asks of the server besides the workflow itself: collections and templates, and the run of one node. */
import * as knowledgeEndpoints from '@chancery/contract/endpoints/knowledge.ts'
import * as runsEndpoints from '@chancery/contract/endpoints/runs.ts'
import * as signingEndpoints from '@chancery/contract/endpoints/signing.ts'
import * as workflowsEndpoints from '@chancery/contract/endpoints/workflows.ts'
import type { Graph } from '@chancery/contract/workflows/graph.ts'
import { keepPreviousData, queryOptions, useQueries, useQuery } from '@tanstack/react-query'
import { call, unchecked } from '#lib/http/call.ts'

const staleTime = 60_000
const few = 20

export const useFoundCollections = (search: string) =>
  useQuery({
    queryKey: ['workflow-editor', 'collections', search],
    queryFn: async () => (await call(knowledgeEndpoints.listCollections, { query: { limit: few, search } })).items,
    placeholderData: keepPreviousData,
    staleTime,
  })

/** Their names, in the order of the IDs. */
export const useNamedCollections = (ids: readonly string[]) =>
  useQueries({
    queries: ids.map((id) => ({
      queryKey: ['workflow-editor', 'collection', id],
      queryFn: async () => (await call(knowledgeEndpoints.getCollection, { params: { id } })).name,
      staleTime,
      retry: false,
    })),
  })

export const templateQuery = (id: string) =>
  queryOptions({
    queryKey: ['workflow-editor', 'signing-template', id],
    queryFn: () => call(signingEndpoints.getTemplate, { params: { id } }),
    staleTime,
  })

export const useFoundTemplates = (search: string) =>
  useQuery({
    queryKey: ['workflow-editor', 'signing-templates', search],
    queryFn: () => call(signingEndpoints.listTemplates, { query: { search, limit: few } }),
  })

/** How the draft is stored. The server refuses it if the stored graph is another than the one with this hash. */
export const draftCalls = (id: string) => ({
  read: () => call(workflowsEndpoints.getWorkflow, { params: { id } }),
  put: (graph: Graph, graph_hash: string) =>
    call(workflowsEndpoints.updateWorkflow, { params: { id }, body: { graph, graph_hash } }),
})

export const startTestRun = (workflowId: string, body: object) =>
  call(runsEndpoints.startTestRun, { params: { id: workflowId }, body: unchecked(body) })
