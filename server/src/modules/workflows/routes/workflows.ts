/** Workflows: list, create, read, change, delete, try, import, export; and templates. */

import * as runsEndpoints from '@chancery/contract/endpoints/runs.ts'
import * as workflowsEndpoints from '@chancery/contract/endpoints/workflows.ts'
import { type Route, route } from '#kernel/http/route.ts'
import { presentRun } from '#modules/runs/index.ts'
import type { WorkflowsContext } from '../context.ts'
import { changeWorkflow } from '../definitions/change-workflow.ts'
import { createWorkflow } from '../definitions/create-workflow.ts'
import { deleteWorkflow } from '../definitions/delete-workflow.ts'
import { describeWorkflow } from '../definitions/describe-workflow.ts'
import { getWorkflow } from '../definitions/get-workflow.ts'
import { describeWorkflows } from '../definitions/list-workflows.ts'
import { startTestRun } from '../definitions/start-test-run.ts'
import { workflowFile } from '../definitions/workflow-file.ts'
import { templates } from '../templates/index.ts'

/** Enough for a thousand nodes with long prompts. */
const maxBodyBytes = 4 * 1024 * 1024

export const workflowRoutes = (context: WorkflowsContext): Route[] => [
  route({
    ...workflowsEndpoints.listWorkflows,
    access: 'user',
    summary: 'List workflows, last changed first, with their last runs',
    handle: ({ actor, query }) => describeWorkflows(context, actor, query),
  }),
  route({
    ...workflowsEndpoints.createWorkflow,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Create a workflow; a draft may be incomplete, and the reply lists its problems',
    maxBodyBytes,
    keepsIntegers: true,
    handle: async ({ actor, body, http }) =>
      describeWorkflow(context, actor, await createWorkflow(context, actor, { body, from: http })),
  }),
  route({
    ...workflowsEndpoints.importWorkflow,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Create a workflow from a file',
    maxBodyBytes,
    keepsIntegers: true,
    handle: async ({ actor, body: { name, description, graph }, http }) => {
      const id = await createWorkflow(context, actor, { body: { name, description, graph }, from: http })
      return describeWorkflow(context, actor, id)
    },
  }),
  route({
    ...workflowsEndpoints.getWorkflow,
    access: 'user',
    summary: 'Get a workflow with its graph and its problems; secrets are hidden',
    handle: ({ actor, params }) => describeWorkflow(context, actor, params.id),
  }),
  route({
    ...workflowsEndpoints.updateWorkflow,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Change a workflow; it is a conflict if the graph changed meanwhile, and hidden secrets stay as they are',
    maxBodyBytes,
    keepsIntegers: true,
    handle: async ({ actor, params, body, http }) => {
      await changeWorkflow(context, actor, { id: params.id, body, from: http })
      return describeWorkflow(context, actor, params.id)
    },
  }),
  route({
    ...workflowsEndpoints.deleteWorkflow,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Delete a workflow with its versions and triggers',
    handle: ({ actor, params, http }) => deleteWorkflow(context, actor, { id: params.id, from: http }),
  }),
  route({
    ...workflowsEndpoints.exportWorkflow,
    access: 'user',
    summary: 'Export a workflow as a file, without secrets',
    handle: async ({ actor, params }) => workflowFile(await getWorkflow(context.kernel.db, actor, params.id)),
  }),
  route({
    ...runsEndpoints.startTestRun,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary:
      'Try the draft, or one node of it, on your own behalf, with effects only for reviewers; no version is made and no trigger is involved',
    limits: [{ per: 'actor', max: 120, windowSec: 60 }],
    keepsIntegers: true,
    handle: async ({ actor, params, body, http }) =>
      presentRun(
        context.kernel.db,
        await startTestRun(context, actor, { workflowId: params.id, body: body ?? {}, from: http }),
      ),
  }),
  route({
    ...workflowsEndpoints.listWorkflowTemplates,
    access: 'user',
    summary: 'List workflow templates',
    handle: async () => ({ items: [...templates], total: templates.length }),
  }),
]
