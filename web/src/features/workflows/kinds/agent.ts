/** A model that works on a prompt. */
import { Bot } from 'lucide-react'
import { isObject, type NodeKind, textOf } from './kind.ts'

export const agent: NodeKind = {
  label: 'Agent',
  icon: Bot,
  purpose: 'A model works on a prompt and can use tools and knowledge.',
  idStem: 'agent',
  start: { model: '' },
  summary: ({ model }) => textOf(model),
  texts: () => ({ template: ['system_prompt', 'prompt'] }),
  result: ({ output_schema: schema }) =>
    isObject(schema) && isObject(schema.properties) ? Object.keys(schema.properties) : undefined,
  fields: {
    model: 'Model',
    system_prompt: 'System prompt',
    prompt: 'Prompt',
    tools: 'Tools',
    knowledge: 'Knowledge',
    output_schema: 'Output schema',
    temperature: 'Temperature',
    max_iterations: 'Maximum rounds',
    max_tokens: 'Token budget',
  },
}
