/**
 * Runs a plugin without a server, in your own tests:
 *
 *     const kit = testKit(Tools, { answers: { input: 'Ana' } })
 *     expect(await kit.call('greet', {})).toBe('Hello Ana')
 *     expect(kit.events).toEqual([...])
 *
 * The plugin runs in Node.js here, not in its sandbox: limits and the guarded `fetch` are the server's.
 */
import type { Helpers, PluginEvent } from './index.ts'

export interface KitOptions {
  /** Laid over the defaults in `Valves`. */
  valves?: Record<string, unknown>
  user?: Partial<Helpers['__user__']>
  /** The browser's answers, by type of question. One that is missing throws, as an absent browser does. */
  answers?: Partial<Record<'confirmation' | 'input' | 'execute', unknown>>
  /** Any other helper. */
  helpers?: Partial<Helpers>
}

interface PluginClass<Plugin extends object> {
  new (): Plugin
  Valves?: Record<string, unknown>
  UserValves?: Record<string, unknown>
}

type MethodOf<Plugin> = {
  [Key in keyof Plugin]: Plugin[Key] extends (...args: never[]) => unknown ? Key : never
}[keyof Plugin]

export const testKit = <Plugin extends object>(Made: PluginClass<Plugin>, options: KitOptions = {}) => {
  const events: PluginEvent[] = []
  const questions: { type: string; data: unknown }[] = []
  const plugin = new Made()
  const valves = { ...defaultsOf(Made.Valves), ...options.valves }
  const own = defaultsOf(Made.UserValves)
  Object.assign(plugin, { valves })

  const ask = async (event: { type: string; data: unknown }): Promise<unknown> => {
    questions.push(event)
    const answers: Record<string, unknown> = options.answers ?? {}
    if (!(event.type in answers)) throw new Error('The browser that asked is not connected.')
    return event.type === 'input' ? { value: answers.input } : answers[event.type]
  }
  const helpers: Helpers = {
    __id__: 'test',
    __user__: { id: 'user', name: 'Ana', email: 'ana@example.test', role: 'ROLE_USER', valves: own, ...options.user },
    __valves__: valves,
    __metadata__: {
      user_id: 'user',
      chat_id: 'chat',
      message_id: 'message',
      session_id: 'session',
      model_id: 'model',
      task: null,
    },
    __request__: { base_url: 'https://chancery.example.test' },
    __model__: { id: 'model' },
    __messages__: [],
    __files__: [],
    __chat_id__: 'chat',
    __message_id__: 'message',
    __session_id__: 'session',
    __task__: null,
    __tools__: {},
    __event_emitter__: async (event) => void events.push(event),
    __event_call__: ask as Helpers['__event_call__'],
    signal: new AbortController().signal,
    ...options.helpers,
  }
  return {
    plugin,
    events,
    questions,
    /** Calls a method as the server does: with its arguments, then the helpers. A generator is read to its end. */
    call: async (method: MethodOf<Plugin> & string, ...args: unknown[]): Promise<unknown> => {
      const work = plugin[method] as unknown as (...given: unknown[]) => unknown
      const value = await work.call(plugin, ...args, helpers)
      return isIterator(value) ? gather(value) : value
    },
  }
}

const defaultsOf = (declared: Record<string, unknown> = {}): Record<string, unknown> => {
  const properties = (declared.type === 'object' ? declared.properties : declared) as Record<
    string,
    { default?: unknown }
  >
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, { default: value }]) => (value === undefined ? [] : [[name, value]])),
  )
}

const isIterator = (value: unknown): value is AsyncIterable<unknown> | Iterable<unknown> =>
  typeof value === 'object' && value !== null && 'next' in value

const gather = async (items: AsyncIterable<unknown> | Iterable<unknown>): Promise<unknown[]> => {
  const all: unknown[] = []
  for await (const item of items) all.push(item)
  return all
}
