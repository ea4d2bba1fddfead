/** One plugin host with the plugins that are loaded in it and the calls that run. */
import { parseForeign } from '#kernel/json/parse-foreign.ts'
import { brokenBy, lossOf, PluginFailure, tooLate } from './failures.ts'
import { startHostProcess } from './host-process.ts'
import { createLoadedPlugins, type Loaded } from './loaded-plugins.ts'
import { type CallOutcome, type OpenCall, openCall, type PluginCall, type PluginCode } from './open-call.ts'

type ProcessOptions = Omit<Parameters<typeof startHostProcess>[0], 'onMessage' | 'onEnd'>

export interface Started {
  code: PluginCode
  call: PluginCall
  isRepeated: boolean
  settle(outcome: Promise<CallOutcome>): void
}

export interface Host {
  describe(code: PluginCode): Promise<unknown>
  call(code: PluginCode, call: PluginCall, how?: { isRepeated: boolean }): Promise<CallOutcome>
  /** Nothing runs in it, also nothing that its caller has given up. */
  isFree(): boolean
  stop(): void
}

interface Options extends ProcessOptions {
  /** Once a call was ended from outside, the process may take so long to return from it. */
  cutMs?: number
  /** The process has ended. `unstarted` were never looked at by it. */
  onEnd(end: { culpritId: string | undefined; unstarted: Started[] }): void
}

interface Running extends Started {
  open: OpenCall
  loaded: Loaded
  line: number
  deadline: number
  /** Fails the call and tells the plugin. */
  end(problem: unknown): void
}

const maxOpenCalls = 2_000
const idleMs = 60_000
const checkEveryMs = 500

export const createHost = ({ onEnd, cutMs = Infinity, ...options }: Options): Host => {
  const plugins = createLoadedPlugins((number, word, text) => host.send(number, word, text))
  const running = new Map<number, Running>()
  let lastCall = 0
  let usedAt = performance.now()
  /** The last line for a call that was ended from outside. */
  let cut = { line: 0, at: 0 }
  const isCutShort = (): boolean => host.handled() < cut.line

  const breakDown = (loaded: Loaded, failure: PluginFailure): void => {
    plugins.forget(loaded)
    loaded.facts.reject(failure)
    for (const one of running.values()) if (one.loaded === loaded) one.open.fail(failure)
  }
  const receive = (number: number, text: string): void => {
    const loaded = plugins.find(number)
    const message = loaded && parse(text)
    if (!loaded || !message) return
    if (message.t === 'loaded') loaded.facts.resolve(message.facts)
    else if (message.t === 'broken') breakDown(loaded, brokenBy(message.error))
    else {
      const one = running.get(Number(message.call))
      // Messages of a plugin count for its own calls only.
      if (one?.loaded === loaded) one.open.receive(message, text.length)
    }
  }
  /** One timer for all calls: a filter is called for every chunk, and a timer for each would cost more than the call. */
  const check = (): void => {
    const now = performance.now()
    for (const one of running.values()) if (one.deadline < now) one.end(tooLate(one.call.wallMs))
    const isOverdue = isCutShort() && now - cut.at > cutMs
    if (isOverdue || (running.size === 0 && now - usedAt > idleMs)) host.stop()
  }
  const checking = setInterval(check, checkEveryMs).unref()
  const end = ({ culprit, isStuck }: { culprit: number | undefined; isStuck: boolean }): void => {
    clearInterval(checking)
    const guilty = culprit === undefined ? undefined : plugins.find(culprit)
    const all = [...running.values()]
    running.clear()
    const unstarted = all.filter((one) => one.loaded !== guilty && one.line > host.handled())
    for (const one of unstarted) one.open.abandon()
    onEnd({ culpritId: guilty?.code.id, unstarted })
    for (const one of all) if (!unstarted.includes(one)) one.open.fail(lossOf(one.loaded === guilty, isStuck))
    for (const loaded of plugins.all()) loaded.facts.reject(lossOf(loaded === guilty, isStuck))
  }
  const host = startHostProcess({ ...options, onMessage: receive, onEnd: end })

  const call: Host['call'] = (code, given, { isRepeated } = { isRepeated: false }) => {
    if (running.size >= maxOpenCalls)
      return Promise.reject(new PluginFailure('broken', 'Too many plugin calls run at once.'))
    const loaded = plugins.load(code)
    lastCall += 1
    const id = lastCall
    const say = (message: object): number => host.send(loaded.number, 'say', JSON.stringify(message))
    const { promise, resolve: settle } = Promise.withResolvers<CallOutcome>()
    const end = (problem: unknown) => {
      one.open.fail(problem)
      cut = { line: say({ t: 'cancel', call: id }), at: performance.now() }
    }
    const abort = () => end(given.signal?.reason)
    const open = openCall(id, given, { say }, () => {
      given.signal?.removeEventListener('abort', abort)
      running.delete(id)
      loaded.openCalls -= 1
      usedAt = performance.now()
      if (code.isSingleUse) plugins.unload(loaded)
    })
    given.signal?.addEventListener('abort', abort, { once: true })
    loaded.openCalls += 1
    loaded.usedAt = performance.now()
    const { target, method, args, helpers } = given
    const line = say({ t: 'call', id, target, method, args, helpers })
    const deadline = loaded.usedAt + given.wallMs
    const one: Running = { code, call: given, isRepeated, settle, open, loaded, line, deadline, end }
    running.set(id, one)
    open.outcome.then(
      () => settle(open.outcome),
      () => settle(open.outcome),
    )
    return promise
  }

  return {
    describe: (code) => {
      usedAt = performance.now()
      const loaded = plugins.load(code)
      // Or another check of the same plugin would unload it before it has answered.
      loaded.openCalls += 1
      return loaded.facts.promise.finally(() => {
        loaded.openCalls -= 1
      })
    },
    call,
    isFree: () => running.size === 0 && !isCutShort(),
    stop: () => host.stop(),
  }
}

const parse = (text: string): Record<string, unknown> | undefined => {
  try {
    const message: unknown = parseForeign(text)
    return typeof message === 'object' && message !== null ? (message as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
