/** Runs the plugin's methods for the server: a call comes in, its value, its parts or its failure go out. */
import { ask, type Call, enter, newCall, send, tell } from './asks.ts'
import { maxTextChars, parse } from './host.ts'

type Plugin = Record<string, unknown>

interface CallMessage {
  t: 'call'
  id: number
  /** The exported class, such as `Filter`. */
  target: string
  method: string
  args: unknown[]
  helpers: Record<string, unknown>
}
interface AnswerMessage {
  t: 'answer'
  call: number
  ask: number
  ok: boolean
  value?: unknown
  message?: string
  code?: string
}
type Message = CallMessage | AnswerMessage | { t: 'next' | 'cancel'; call: number }

const calls = new Map<number, Call>()
const instances = new Map<string, Plugin>()
let plugin: Plugin = {}
let valves: unknown = {}

export const load = (exported: Plugin, settings: unknown): void => {
  plugin = exported
  valves = settings
}

const classOf = (name: string): unknown => plugin[name] ?? (plugin.default as Plugin | undefined)?.[name]

/** One object for each class, made at its first use; its state lasts until the sandbox is closed. */
const instanceOf = (target: string): Plugin => {
  const known = instances.get(target)
  if (known) return known
  const Made = classOf(target)
  if (typeof Made !== 'function') throw new TypeError(`The plugin exports no class ${target}.`)
  const made = new (Made as new () => Plugin)()
  made.valves = { ...defaultsOf(Made as unknown as Plugin), ...(valves as object) }
  instances.set(target, made)
  return made
}

const defaultsOf = ({ Valves }: Plugin): Plugin => {
  const declared = (Valves ?? {}) as { properties?: Plugin }
  const properties = Object.entries((declared.properties ?? declared) as Record<string, { default?: unknown }>)
  return Object.fromEntries(
    properties.filter(([, one]) => one?.default !== undefined).map(([name, one]) => [name, one.default]),
  )
}

interface ToolFacts {
  name: string
}

/** Reads a list from the body that a filter, a pipe or an action is given, so that it isn't sent twice. */
const listIn = ([body]: unknown[], name: string): unknown => {
  const list = typeof body === 'object' && body !== null ? (body as Plugin)[name] : undefined
  return Array.isArray(list) ? list : []
}

const helpersOf = (call: Call, { helpers, args }: CallMessage, self: Plugin): Plugin => ({
  __messages__: listIn(args, 'messages'),
  __files__: listIn(args, 'files'),
  ...helpers,
  __valves__: self.valves,
  __event_emitter__: async (event: unknown) => tell(call, { t: 'emit', event }),
  __event_call__: (event: unknown) => ask('event', event, call),
  __tools__: Object.fromEntries(
    ((helpers.__tools__ ?? []) as ToolFacts[]).map((tool) => [
      tool.name,
      { ...tool, call: (args: unknown) => ask('tool', { name: tool.name, args }, call) },
    ]),
  ),
  signal: call.controller.signal,
})

/** A plugin may throw anything, also what has no text or far too much of it. */
const describeProblem = (problem: unknown): object => {
  try {
    if (!(problem instanceof Error)) return { name: 'Error', message: cut(problem) }
    return { name: cut(problem.name), message: cut(problem.message), stack: cut(problem.stack ?? '') }
  } catch {
    return { name: 'Error', message: 'The plugin threw something that has no text.' }
  }
}

const cut = (value: unknown): string => String(value).slice(0, maxTextChars)

/** The call stays open where its value can't be sent, so that it can still fail. */
const finish = (call: Call, ending: object): void => {
  if (!calls.has(call.id)) return
  send({ t: 'end', call: call.id, ...ending })
  calls.delete(call.id)
  call.controller.abort()
}

const fail = (call: Call, problem: unknown): void => finish(call, { ok: false, error: describeProblem(problem) })

const iteratorOf = (value: unknown): Call['items'] => {
  if (typeof value !== 'object' || value === null) return undefined
  if (Symbol.asyncIterator in value) return (value as AsyncIterable<unknown>)[Symbol.asyncIterator]()
  const isGenerator = Symbol.iterator in value && typeof (value as Plugin).next === 'function'
  return isGenerator ? (value as Iterable<unknown>)[Symbol.iterator]() : undefined
}

const run = async (call: Call, message: CallMessage): Promise<void> => {
  try {
    const self = instanceOf(message.target)
    const method = self[message.method]
    if (typeof method !== 'function') throw new TypeError(`The plugin has no method ${message.method}.`)
    const value: unknown = await method.call(self, ...message.args, helpersOf(call, message, self))
    call.items = iteratorOf(value)
    if (call.items) tell(call, { t: 'items' })
    else finish(call, { ok: true, value })
  } catch (problem) {
    fail(call, problem)
  }
}

const next = async (call: Call): Promise<void> => {
  try {
    const item = await call.items?.next()
    if (!item || item.done) finish(call, { ok: true })
    else tell(call, { t: 'item', value: item.value })
  } catch (problem) {
    fail(call, problem)
  }
}

const cancel = (call: Call): void => {
  calls.delete(call.id)
  call.controller.abort()
  for (const { reject } of call.asked.values()) reject(call.controller.signal.reason)
  void call.items?.return?.()
}

const answer = (call: Call, message: AnswerMessage): void => {
  const question = call.asked.get(message.ask)
  call.asked.delete(message.ask)
  if (message.ok) question?.resolve(message.value)
  else question?.reject(Object.assign(new Error(message.message), { code: message.code }))
}

/** The one way in. The worker runs all pending promises afterwards. */
export const receive = (text: string): void => {
  const message = parse(text) as Message
  if (message.t === 'call') {
    const call = newCall(message.id)
    calls.set(call.id, call)
    enter(call)
    void run(call, message)
    return
  }
  const call = calls.get(message.call)
  if (!call) return
  enter(call)
  if (message.t === 'answer') answer(call, message)
  else if (message.t === 'next') void next(call)
  else cancel(call)
}

const methodsOf = (Made: unknown): string[] =>
  typeof Made === 'function'
    ? Object.getOwnPropertyNames(Made.prototype).filter((name) => name !== 'constructor' && !name.startsWith('_'))
    : []

/** The plugin's description for its record: which classes, which methods, and what it says about itself. */
export const describe = (): object =>
  Object.fromEntries(
    ['Tools', 'Filter', 'Pipe', 'Action'].flatMap((name) => {
      const Made = classOf(name) as (Plugin & { new (): Plugin }) | undefined
      if (typeof Made !== 'function') return []
      const self = instanceOf(name)
      const facts = {
        methods: methodsOf(Made),
        name: self.name,
        description: self.description,
        priority: self.priority,
        toggle: self.toggle,
        // Written where the settings are, it is meant as well: it must not be read as a filter that may fail.
        mustHold: self.mustHold ?? Made.mustHold,
        schema: Made.schema,
        valves: Made.Valves,
        userValves: Made.UserValves,
        pipes: Array.isArray(self.pipes) ? self.pipes : undefined,
        hasPipes: typeof self.pipes === 'function',
      }
      return [[name, facts]]
    }),
  )
