/**
 * A plugin's description of itself, read once when it is saved. Results of a sandbox are checked here. What comes out
 * of a sandbox is checked here.
 */
import type { PluginKind } from '@chancery/contract/plugins/plugins.ts'
import { z } from 'zod'
import { AppError } from '#kernel/errors.ts'

const JsonObject = z.record(z.string(), z.unknown())

const Pipes = z
  .array(z.object({ id: z.string().regex(/^[\w./:-]{1,100}$/), name: z.string().max(120) }))
  .min(1)
  .max(200)

const Facts = z.object({
  methods: z.array(z.string().max(100)).max(200),
  name: z.string().max(120).optional().catch(undefined),
  description: z.string().max(2000).optional().catch(undefined),
  priority: z.number().optional().catch(undefined),
  toggle: z.boolean().optional().catch(undefined),
  mustHold: z.boolean().optional(),
  schema: z.record(z.string(), JsonObject).optional(),
  valves: JsonObject.optional(),
  userValves: JsonObject.optional(),
  pipes: Pipes.optional(),
  hasPipes: z.boolean(),
})
type Facts = z.output<typeof Facts>

const AllFacts = z.partialRecord(z.enum(['Tools', 'Filter', 'Pipe', 'Action']), Facts)

export interface ToolMethod {
  name: string
  description: string
  parameters: Record<string, unknown>
}

export interface PluginSpec {
  tools: ToolMethod[]
  /** Which of `inlet`, `stream` and `outlet` a filter has. */
  methods: string[]
  priority: number
  toggle: boolean
  /** A filter whose failure lets nothing pass. Records of older versions lack it. */
  mustHold?: boolean
  /** The models of a pipe. One entry with an empty id means that the pipe itself is the model. */
  pipes: { id: string; name: string }[]
  /** The pipes come from a method and are asked for after each change. */
  hasDynamicPipes: boolean
  valves: Record<string, unknown> | null
  userValves: Record<string, unknown> | null
}

const kinds: readonly [keyof z.output<typeof AllFacts>, PluginKind][] = [
  ['Tools', 'tool'],
  ['Filter', 'filter'],
  ['Pipe', 'pipe'],
  ['Action', 'action'],
]
const needed: Record<PluginKind, readonly string[]> = {
  tool: [],
  filter: ['inlet', 'stream', 'outlet'],
  pipe: ['pipe'],
  action: ['action'],
}

const invalid = (detail: string): AppError => new AppError('plugin_invalid', { detail })

interface Read {
  kind: PluginKind
  spec: PluginSpec
  description: string | undefined
}

/** `written` are the tools as the source describes them; what the class declares itself wins. Throws `plugin_invalid`. */
export const readSpec = (facts: unknown, written: ReadonlyMap<string, ToolMethod | null>): Read => {
  const { success, data, error } = AllFacts.safeParse(facts)
  if (!success) {
    const [issue] = error.issues
    throw invalid(`The plugin describes itself wrongly: ${issue?.path.join('.')}: ${issue?.message}`)
  }
  const found = kinds.filter(([name]) => data[name])
  const [first, second] = found
  if (!first) throw invalid('Export a class named Tools, Filter, Pipe or Action.')
  if (second) throw invalid('Export only one of the classes Tools, Filter, Pipe and Action.')
  const [name, kind] = first
  const own = data[name] as Facts
  if (needed[kind].length > 0 && !needed[kind].some((method) => own.methods.includes(method)))
    throw invalid(`The class ${name} needs a method named ${needed[kind].join(' or ')}.`)
  return { kind, spec: specOf(kind, own, written), description: own.description }
}

/** The result of the method `pipes`. Throws `plugin_invalid`. */
export const readPipes = (listed: unknown): PluginSpec['pipes'] => {
  const { success, data } = Pipes.safeParse(listed)
  if (!success) throw invalid('The method pipes must return 1 to 200 entries such as { id: "small", name: "Small" }.')
  return data
}

const specOf = (kind: PluginKind, facts: Facts, written: ReadonlyMap<string, ToolMethod | null>): PluginSpec => ({
  tools: kind === 'tool' ? toolsOf(facts, written) : [],
  methods: needed[kind].filter((method) => facts.methods.includes(method)),
  priority: facts.priority ?? 0,
  toggle: facts.toggle ?? false,
  mustHold: facts.mustHold ?? false,
  pipes: kind === 'pipe' ? (facts.pipes ?? [{ id: '', name: facts.name ?? '' }]) : [],
  hasDynamicPipes: facts.hasPipes,
  valves: schemaOf(facts.valves),
  userValves: schemaOf(facts.userValves),
})

const toolName = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/
const anything = { type: 'object', properties: {} }

const toolsOf = ({ methods, schema = {} }: Facts, written: ReadonlyMap<string, ToolMethod | null>): ToolMethod[] => {
  const open = methods.filter((name) => written.get(name) !== null)
  if (open.length === 0) throw invalid('The class Tools has no public methods.')
  return open.map((name) => {
    if (!toolName.test(name)) throw invalid(`The method ${name} can't be a tool: use letters, digits and _.`)
    const declared = schema[name]
    const read = written.get(name)
    if (!declared) return read ?? { name, description: '', parameters: anything }
    const { description, ...parameters } = declared
    return { name, description: typeof description === 'string' ? description : (read?.description ?? ''), parameters }
  })
}

/** `{ unit: { type: 'string' } }` is short for a JSON Schema with these properties. */
const schemaOf = (declared: Record<string, unknown> | undefined): Record<string, unknown> | null => {
  if (!declared) return null
  return declared.type === 'object' && 'properties' in declared ? declared : { type: 'object', properties: declared }
}
