/** Completions of the plugin editor: helpers, event types and the names of types, from `@chancery/plugin` itself. */

import pluginTypes from '@chancery/plugin?raw'
import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { readTypes, type Suggestion } from './read-types.ts'

const { helpers, events, names } = readTypes(pluginTypes)

const optionsOf = (suggestions: readonly Suggestion[], type: string): Completion[] =>
  suggestions.map(({ label, detail, info }) => ({ label, detail, type, ...(info !== '' && { info }) }))

const words = [...optionsOf(helpers, 'variable'), ...optionsOf(names, 'type')]
const eventTypes = optionsOf(events, 'enum')

export function suggest(context: CompletionContext): CompletionResult | null {
  const event = context.matchBefore(/type: ?['"][\w:]*$/)
  if (event) {
    const from = event.from + event.text.search(/['"]/) + 1
    return { from, options: eventTypes, validFor: /^[\w:]*$/ }
  }
  const word = context.matchBefore(/[\w$]+$/)
  if (!word && !context.explicit) return null
  return { from: word?.from ?? context.pos, options: words, validFor: /^[\w$]*$/ }
}
