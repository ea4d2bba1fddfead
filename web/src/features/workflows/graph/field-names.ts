/** What the fields of a node are called where people read them: `config.cases[0].expression` → `Case 1, expression`. */

const names: Record<string, string> = {
  model: 'Model',
  system_prompt: 'System prompt',
  prompt: 'Prompt',
  tools: 'Tools',
  knowledge: 'Knowledge',
  output_schema: 'Output schema',
  temperature: 'Temperature',
  max_iterations: 'Most rounds',
  max_tokens: 'Token budget',
  tool: 'Tool',
  arguments: 'Arguments',
  expression: 'Expression',
  cases: 'Cases',
  fields: 'Fields',
  method: 'Method',
  url: 'Address',
  headers: 'Headers',
  body: 'Body',
  authorization: 'Authorization',
  event_type: 'Event type',
  payload: 'Payload',
  correlation_id: 'Correlation id',
  seconds: 'How long',
  until: 'Until',
  filter_expr: 'Filter',
  deadline_sec: 'Deadline',
  title: 'Question',
  message: 'Message',
  approvers: 'Approvers',
  items: 'Items',
  parallel: 'At once',
  max_items: 'Most items',
  workflow_id: 'Workflow',
  input: 'Input',
  retry: 'Retries',
  timeout_sec: 'Time limit',
  on_error: 'When it fails',
  name: 'Name',
  'retry.max_attempts': 'Attempts',
  'retry.initial_delay_ms': 'First rest',
  'retry.max_delay_ms': 'Longest rest',
  'settings.deadline_sec': 'Deadline of a run',
  'settings.default_retry.max_attempts': 'Attempts',
  'settings.default_retry.initial_delay_ms': 'First rest',
  'settings.default_retry.max_delay_ms': 'Longest rest',
}

/** The field of the form that a path belongs to: `config.cases[0].expression` → `cases`. */
export const formField = (path: string): string => /^(?:config\.)?([^.[]+)/.exec(path)?.[1] ?? path

export function sayField(path: string): string {
  const whole = names[path.replace(/^config\./, '')]
  if (whole !== undefined) return whole
  const [, first = path, index, , rest] = /^(?:config\.)?([^.[]+)(?:\[(\d+)\])?(\.(.+))?$/.exec(path) ?? []
  const name = names[first] ?? first
  if (index !== undefined) {
    const one = name.replace(/s$/, '')
    return `${one} ${Number(index) + 1}${rest === undefined ? '' : `, ${rest}`}`
  }
  return rest === undefined ? name : `${name}, ${rest}`
}
