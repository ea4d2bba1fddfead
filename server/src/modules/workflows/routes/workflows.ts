/** Workflows: list, create, read, change, delete, try, import, export; and templates. */
import { RunItem, TestRunBody } from '@chancery/contract/workflow-runs.ts'
import {
  Workflow,
  WorkflowBody,
  WorkflowFile,
  WorkflowFileBody,
  WorkflowList,
  WorkflowListQuery,
  WorkflowPut,
  WorkflowTemplateList,
} from '@chancery/contract/workflows.ts'
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

const base = '/api/v1/agent-workflows'

/** Enough for a thousand nodes with long prompts. */
const maxBodyBytes = 4 * 1024 * 1024

export const workflowRoutes = (context: WorkflowsContext): Route[] => [
  route({
    method: 'GET',
    path: base,
    access: 'user',
    summary: 'List workflows, last changed first, with their last runs',
    query: WorkflowListQuery,
    reply: WorkflowList,
    handle: ({ actor, query }) => describeWorkflows(context, actor, query),
  }),
  route({
    method: 'POST',
    path: base,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Create a workflow; a draft may be incomplete, and the reply lists its problems',
    maxBodyBytes,
    keepsIntegers: true,
    body: WorkflowBody,
    reply: Workflow,
    status: 201,
    handle: async ({ actor, body, http }) =>
      describeWorkflow(context, actor, await createWorkflow(context, actor, { body, from: http })),
  }),
  route({
    method: 'POST',
    path: `${base}/import`,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Create a workflow from a file',
    maxBodyBytes,
    keepsIntegers: true,
    body: WorkflowFileBody,
    reply: Workflow,
    status: 201,
    handle: async ({ actor, body: { name, description, graph }, http }) => {
      const id = await createWorkflow(context, actor, { body: { name, description, graph }, from: http })
      return describeWorkflow(context, actor, id)
    },
  }),
  route({
    method: 'GET',
    path: `${base}/:id`,
    access: 'user',
    summary: 'Get a workflow with its graph and its problems; secrets are hidden',
    reply: Workflow,
    handle: ({ actor, params }) => describeWorkflow(context, actor, params.id),
  }),
  route({
    method: 'PUT',
    path: `${base}/:id`,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Change a workflow; it is a conflict if the graph changed meanwhile, and hidden secrets stay as they are',
    maxBodyBytes,
    keepsIntegers: true,
    body: WorkflowPut,
    reply: Workflow,
    handle: async ({ actor, params, body, http }) => {
      await changeWorkflow(context, actor, { id: params.id, body, from: http })
      return describeWorkflow(context, actor, params.id)
    },
  }),
  route({
    method: 'DELETE',
    path: `${base}/:id`,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Delete a workflow with its versions and triggers',
    handle: ({ actor, params, http }) => deleteWorkflow(context, actor, { id: params.id, from: http }),
  }),
  route({
    method: 'GET',
    path: `${base}/:id/export`,
    access: 'user',
    summary: 'Export a workflow as a file, without secrets',
    reply: WorkflowFile,
    handle: async ({ actor, params }) => workflowFile(await getWorkflow(context.kernel.db, actor, params.id)),
  }),
  route({
    method: 'POST',
    path: `${base}/:id/test-runs`,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary:
      'Try the draft, or one node of it, on your own behalf, with effects only for reviewers; no version is made and no trigger is involved',
    limits: [{ per: 'actor', max: 120, windowSec: 60 }],
    keepsIntegers: true,
    body: TestRunBody,
    reply: RunItem,
    status: 202,
    handle: async ({ actor, params, body, http }) =>
      presentRun(
        context.kernel.db,
        await startTestRun(context, actor, { workflowId: params.id, body: body ?? {}, from: http }),
      ),
  }),
  route({
    method: 'GET',
    path: '/api/v1/workflow-templates',
    access: 'user',
    summary: 'List workflow templates',
    reply: WorkflowTemplateList,
    handle: async () => ({ items: [...templates], total: templates.length }),
  }),
]
