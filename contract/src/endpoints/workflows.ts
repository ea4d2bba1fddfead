/** Workflows, their versions and triggers. */

import { del, get, patch, post, put } from '../endpoint.ts'
import {
  CronTrigger,
  CronTriggerBody,
  EventTrigger,
  EventTriggerBody,
  FilterTestBody,
  FilterTestReply,
  TimetableTestBody,
  TimetableTestReply,
  Trigger,
  TriggerList,
  TriggerPatch,
  WebhookTrigger,
  WebhookTriggerBody,
} from '../workflows/triggers.ts'
import {
  ApproveBody,
  RejectBody,
  RollbackBody,
  RollbackReply,
  RunAsBody,
  SnapshotBody,
  SubmitBody,
  Version,
  VersionDiff,
  VersionItem,
  VersionList,
  VersionListQuery,
  Workflow,
  WorkflowBody,
  WorkflowFile,
  WorkflowFileBody,
  WorkflowList,
  WorkflowListQuery,
  WorkflowPut,
  WorkflowTemplateList,
} from '../workflows/workflows.ts'

export const listWorkflows = get('/api/v1/agent-workflows', { query: WorkflowListQuery, reply: WorkflowList })
export const createWorkflow = post('/api/v1/agent-workflows', { body: WorkflowBody, reply: Workflow, status: 201 })
export const importWorkflow = post('/api/v1/agent-workflows/import', {
  body: WorkflowFileBody,
  reply: Workflow,
  status: 201,
})
export const getWorkflow = get('/api/v1/agent-workflows/:id', { reply: Workflow })
export const updateWorkflow = put('/api/v1/agent-workflows/:id', { body: WorkflowPut, reply: Workflow })
export const deleteWorkflow = del('/api/v1/agent-workflows/:id')
export const exportWorkflow = get('/api/v1/agent-workflows/:id/export', { reply: WorkflowFile })
export const listWorkflowTemplates = get('/api/v1/workflow-templates', { reply: WorkflowTemplateList })
export const submitWorkflow = post('/api/v1/agent-workflows/:id/submit', { body: SubmitBody, reply: Workflow })
export const approveWorkflow = post('/api/v1/agent-workflows/:id/approve', { body: ApproveBody, reply: Workflow })
export const rejectWorkflow = post('/api/v1/agent-workflows/:id/reject', { body: RejectBody, reply: Workflow })
export const setRunAs = put('/api/v1/agent-workflows/:id/run-as', { body: RunAsBody, reply: Workflow })
export const listTriggers = get('/api/v1/agent-workflows/:id/triggers', { reply: TriggerList })
export const addEventTrigger = post('/api/v1/agent-workflows/:id/triggers/event', {
  body: EventTriggerBody,
  reply: EventTrigger,
  status: 201,
})
export const testEventTrigger = post('/api/v1/agent-workflows/:id/triggers/event/test', {
  body: FilterTestBody,
  reply: FilterTestReply,
})
export const addCronTrigger = post('/api/v1/agent-workflows/:id/triggers/cron', {
  body: CronTriggerBody,
  reply: CronTrigger,
  status: 201,
})
export const testCronTrigger = post('/api/v1/agent-workflows/:id/triggers/cron/test', {
  body: TimetableTestBody,
  reply: TimetableTestReply,
})
export const addWebhookTrigger = post('/api/v1/agent-workflows/:id/triggers/webhook', {
  body: WebhookTriggerBody,
  reply: WebhookTrigger,
  status: 201,
})
export const changeTrigger = patch('/api/v1/agent-workflows/:id/triggers/:triggerId', {
  body: TriggerPatch,
  reply: Trigger,
})
export const deleteTrigger = del('/api/v1/agent-workflows/:id/triggers/:triggerId')
export const listVersions = get('/api/v1/agent-workflows/:id/versions', { query: VersionListQuery, reply: VersionList })
export const getVersion = get('/api/v1/agent-workflows/:id/versions/:version', { reply: Version })
export const compareVersions = get('/api/v1/agent-workflows/:id/versions/:a/diff/:b', { reply: VersionDiff })
export const takeSnapshot = post('/api/v1/agent-workflows/:id/snapshot', {
  body: SnapshotBody,
  reply: VersionItem,
  status: 201,
})
export const rollBack = post('/api/v1/agent-workflows/:id/rollback', { body: RollbackBody, reply: RollbackReply })
export const rollBackAndPublish = post('/api/v1/agent-workflows/:id/rollback-and-publish', {
  body: RollbackBody,
  reply: RollbackReply,
})
export const callHook = post('/api/public/hooks/:token', { reply: 'raw' })
