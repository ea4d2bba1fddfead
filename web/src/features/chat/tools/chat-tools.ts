/** Tools that a chat's next replies may use, stored in its `params` under the names of the request. Pure. */

/** Switched by name in `features`. */
const featureNames = ['code_interpreter', 'web_search', 'image_generation', 'memory'] as const
type FeatureName = (typeof featureNames)[number]

export interface ChatTools {
  toolIds: readonly string[]
  filterIds: readonly string[]
  features: readonly FeatureName[]
}

export const noTools: ChatTools = { toolIds: [], filterIds: [], features: [] }

interface FeatureLabel {
  name: FeatureName
  label: string
  description: string
  /** Offered only where this tool is. */
  needsTool?: string
}

export const featureLabels: readonly FeatureLabel[] = [
  {
    name: 'code_interpreter',
    label: 'Code interpreter',
    description: 'Runs Python and JavaScript to calculate and to work on data.',
  },
  {
    name: 'web_search',
    label: 'Web search',
    description: 'Searches the web before each reply, and cites the pages.',
    needsTool: 'builtin:search',
  },
  {
    name: 'image_generation',
    label: 'Image generation',
    description: 'Makes images from a description.',
    needsTool: 'builtin:images',
  },
  { name: 'memory', label: 'Memory', description: 'Uses what you asked to be remembered.' },
]

const memoryTool = 'builtin:memory'
/** The tools behind a feature: offered once, as the feature. */
export const toolsOfFeatures = new Set([
  'builtin:code',
  'builtin:python',
  'builtin:search',
  'builtin:images',
  memoryTool,
])

const idsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((id): id is string => typeof id === 'string') : []

const isOn = (features: unknown, name: string) =>
  typeof features === 'object' && features !== null && (features as Record<string, unknown>)[name] === true

export const chatToolsOf = ({ tool_ids, filter_ids, features }: Readonly<Record<string, unknown>>): ChatTools => {
  const toolIds = idsIn(tool_ids)
  // Older chats may have the tool switched on by itself.
  const isNamed = (name: FeatureName) => name === 'memory' && toolIds.includes(memoryTool)
  return {
    toolIds: toolIds.filter((id) => id !== memoryTool),
    filterIds: idsIn(filter_ids),
    features: featureNames.filter((name) => isOn(features, name) || isNamed(name)),
  }
}

const listOrNull = (ids: readonly string[]) => (ids.length === 0 ? null : ids)

/** To be stored; null clears what was stored. */
export const toolParams = ({ toolIds, filterIds, features }: ChatTools) => ({
  tool_ids: listOrNull(toolIds),
  filter_ids: listOrNull(filterIds),
  features: features.length === 0 ? null : Object.fromEntries(features.map((name) => [name, true])),
})

interface Usable {
  toolIds: readonly string[] | undefined
  filterIds: readonly string[] | undefined
}

/** For a request. What is known to be gone is left out: naming it would refuse the whole request. */
export function toolRequest({ toolIds, filterIds, features }: ChatTools, usable: Usable): Record<string, unknown> {
  const left = (ids: readonly string[], known: readonly string[] | undefined) =>
    known === undefined ? ids : ids.filter((id) => known.includes(id))
  const params = toolParams({
    toolIds: left(toolIds, usable.toolIds),
    filterIds: left(filterIds, usable.filterIds),
    features,
  })
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null))
}

export const countOf = ({ toolIds, filterIds, features }: ChatTools): number =>
  toolIds.length + filterIds.length + features.length

export const toggle = <Id extends string>(ids: readonly Id[], id: Id): Id[] =>
  ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id]
