/** The tools `builtin:workflows`: a model or an MCP client lists the caller's published workflows and starts one. */
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { isUuid } from '#kernel/ids.ts'
import { getRun, workflowToolsId } from '#modules/runs/index.ts'
import { builtinSource, type ToolSource } from '#modules/tools/index.ts'
import type { WorkflowsContext } from './context.ts'
import { listWorkflows } from './queries/workflows.ts'

/** A tool has no connection of its own to be recorded. */
const origin = { ip: '', userAgent: 'tool', requestId: '' }

const requireId = (id: unknown): string => {
  if (isUuid(String(id))) return String(id)
  throw new AppError('tool_failed', { detail: 'The ID is missing or not one.' })
}
const idSchema = (name: string, description: string) => ({
  type: 'object',
  properties: { [name]: { type: 'string', description } },
  required: [name],
})

export const workflowTools = ({ kernel, runs }: Pick<WorkflowsContext, 'kernel' | 'runs'>): ToolSource => {
  const { db } = kernel
  const list = async (actor: Actor): Promise<string> => {
    const { items } = await listWorkflows(db, actor, { page: 1, limit: 100, status: 'Published' })
    return JSON.stringify(items.map(({ id, name, description }) => ({ id, name, description })))
  }
  return builtinSource({
    id: workflowToolsId,
    name: 'Workflows',
    description: 'Lists your published workflows, starts them and reads their runs.',
    isFor: ({ kind }) => kind === 'user',
    tools: [
      {
        name: 'list_workflows',
        routes: ['/api/v1/agent-workflows'],
        description: 'The published workflows of the user, with their IDs.',
        parameters: { type: 'object', properties: {} },
        run: async (_args, { actor }) => ({ content: await list(actor) }),
      },
      {
        name: 'start_workflow',
        routes: ['/api/v1/agent-workflows'],
        approval: { sentence: 'Asks the person before a model starts a workflow.' },
        description: 'Starts a published workflow on behalf of the user and returns the ID of the run.',
        parameters: {
          ...idSchema('workflow_id', 'From list_workflows.'),
          properties: {
            workflow_id: { type: 'string', description: 'From list_workflows.' },
            input: { description: 'Any JSON.' },
          },
        },
        run: async ({ workflow_id: workflowId, input }, { actor }) => {
          const request = {
            workflowId: requireId(workflowId),
            input,
            event: undefined,
            catalogId: null,
            key: undefined,
            from: origin,
          }
          const { id, status } = await runs.startRun(actor, request)
          return { content: JSON.stringify({ run_id: id, status }) }
        },
      },
      {
        name: 'get_workflow_run',
        routes: ['/api/v1/agent-runs'],
        description: 'How far a run is, and its output once it has finished.',
        parameters: idSchema('run_id', 'From start_workflow.'),
        run: async ({ run_id: runId }, { actor }) => {
          const { id, status, output } = await getRun(db, actor, requireId(runId))
          return { content: JSON.stringify({ run_id: id, status, output }) }
        },
      },
    ],
  })
}
