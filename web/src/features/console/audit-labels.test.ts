import { expect, it } from 'vitest'
import { actionName } from './audit-labels.ts'

it.each([
  ['run.start', 'Started a run'],
  ['run.retry', 'Retried a run'],
  ['workflow.publish', 'Published a workflow'],
  ['workflow.rollback', 'Rolled back a workflow'],
  ['trigger.delete', 'Deleted a trigger'],
  ['approval.answer', 'Answered an approval'],
  ['api_key.create', 'Created an API key'],
  ['tool_servers.save', 'Saved tool servers'],
  ['account.change_password', 'Changed password'],
  ['organization.create_unit', 'Created unit'],
  ['signing.key.save', 'Saved the signing key'],
  ['plugin.valves', 'Changed the settings of a plugin'],
  ['account.end_session', 'Ended a session'],
  ['later.invented_thing', 'Later: invented thing'],
])('%s is "%s" in the audit log', (action, words) => {
  expect(actionName(action)).toBe(words)
})
