/** The labels of node fields: `config.cases[0].expression` → `Case 1, expression`. */

import type { NodeType } from '@chancery/contract/workflow-graph.ts'

const names: Record<string, string> = {
  model: 'Model',
  system_prompt: 'System prompt',
  prompt: 'Prompt',
  tools: 'Tools',
  knowledge: 'Knowledge',
  output_schema: 'Output schema',
  temperature: 'Temperature',
  max_iterations: 'Maximum rounds',
  max_tokens: 'Token budget',
  tool: 'Tool',
  arguments: 'Arguments',
  expression: 'Expression',
  cases: 'Cases',
  fields: 'Fields',
  method: 'Method',
  url: 'URL',
  headers: 'Headers',
  body: 'Body',
  authorization: 'Authorization',
  credential_id: 'Credential',
  event_type: 'Event type',
  payload: 'Payload',
  correlation_id: 'Correlation ID',
  seconds: 'Duration',
  until: 'Date and time',
  filter_expr: 'Filter',
  deadline_sec: 'Deadline',
  title: 'Title',
  message: 'Message',
  approvers: 'Approvers',
  items: 'Items',
  parallel: 'In parallel',
  max_items: 'Maximum items',
  on_item_error: 'When an item fails',
  workflow_id: 'Workflow',
  template_id: 'Template',
  recipients: 'Recipients',
  values: 'Values',
  folder: 'Folder',
  expires_sec: 'Expires after',
  code: 'Code',
  language: 'Language',
  mode: 'Wait for',
  stop_when: 'Stop when',
  input: 'Input',
  retry: 'Retries',
  timeout_sec: 'Time limit',
  on_error: 'When all attempts fail',
  name: 'Name',
  'retry.max_attempts': 'Attempts',
  'retry.initial_delay_ms': 'Initial delay',
  'retry.max_delay_ms': 'Maximum delay',
  'settings.deadline_sec': 'Run deadline',
  'settings.default_retry.max_attempts': 'Attempts',
  'settings.default_retry.initial_delay_ms': 'Initial delay',
  'settings.default_retry.max_delay_ms': 'Maximum delay',
}

/** The form field that a path belongs to: `config.cases[0].expression` → `cases`. */
export const formField = (path: string): string => /^(?:config\.)?([^.[]+)/.exec(path)?.[1] ?? path

/** Where a form calls a field by another name than the others do. */
const namesByType: Readonly<Record<string, string>> = {
  'approval.title': 'Question',
  'signature.title': 'Document title',
}

export function fieldLabel(path: string, type?: NodeType): string {
  const name = path.replace(/^config\./, '')
  const whole = namesByType[`${type}.${name}`] ?? names[name]
  if (whole !== undefined) return whole
  const [, first = path, index, , rest] = /^(?:config\.)?([^.[]+)(?:\[(\d+)\])?(\.(.+))?$/.exec(path) ?? []
  const label = names[first] ?? first
  if (index !== undefined) {
    const one = label.replace(/s$/, '')
    return `${one} ${Number(index) + 1}${rest === undefined ? '' : `, ${rest}`}`
  }
  return rest === undefined ? label : `${label}, ${rest}`
}
