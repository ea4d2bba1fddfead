/**
 * One plugin in QuickJS: an instance of WebAssembly of its own, with limits on memory, stack and processor time. Runs in
 * the limited child. Whatever breaks a limit costs the plugin its sandbox; the next call gets a new one.
 */
import type { QuickJSContext, QuickJSHandle, QuickJSRuntime } from 'quickjs-emscripten-core'
import { newEngine, ownSource, toJavaScript } from './engine.ts'
import { hostObject } from './host-object.ts'

export interface SandboxLimits {
  memoryBytes: number
  /** Processor time each time the plugin is entered. */
  entryCpuMs: number
  /** Messages each time the plugin is entered, and their characters together: they wait in this process until it is left. */
  entryMessages: number
  entryLength: number
  messageBytes: number
}

/** The sandbox can't be used any more. */
export class SandboxBroken extends Error {}

export interface Sandbox {
  /** Throws `SandboxBroken`. */
  receive(text: string): void
}

interface Options {
  source: string
  /** JSON. */
  valves: string
  limits: SandboxLimits
  send(text: string): void
}

const maxStackBytes = 256 * 1024

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

export const createSandbox = async ({
  source,
  valves,
  limits,
  send,
}: Options): Promise<Sandbox & { facts: string }> => {
  const quickjs = await newEngine(limits.memoryBytes)
  const runtime = quickjs.newRuntime()
  runtime.setMemoryLimit(limits.memoryBytes)
  runtime.setMaxStackSize(maxStackBytes)
  let deadline = 0
  let isInterrupted = false
  let messages = 0
  let length = 0
  let isFlooding = false
  runtime.setInterruptHandler(() => {
    isInterrupted ||= cpuMs() > deadline
    return isInterrupted || isFlooding
  })
  let mayImport = true
  runtime.setModuleLoader(
    (name) => (mayImport ? ownSource(name) : { error: new Error('A plugin is one file and cannot import others.') }),
    // Under another name, because modules that are loaded already are found without asking the loader.
    (_from, name) => (mayImport ? name.replace(/^\.\//, '') : `refused:${name}`),
  )
  const context = runtime.newContext()
  const problemOf = (error: QuickJSHandle): Error => {
    if (isInterrupted) return new SandboxBroken('The plugin used too much processor time.')
    const found = context.dump(error) as { name?: string; message?: string; stack?: string } | string
    const { name = 'Error', message = String(found), stack } = typeof found === 'object' && found !== null ? found : {}
    const problem = new Error(message)
    return Object.assign(problem, { name, stack })
  }

  /** Enters the sandbox once, until nothing in it is left to do. */
  const entered = <Result>(work: () => Result): Result => {
    deadline = cpuMs() + limits.entryCpuMs
    messages = 0
    length = 0
    const result = work()
    if (!isFlooding) drain(runtime, () => isInterrupted || isFlooding || cpuMs() > deadline)
    if (isInterrupted) throw new SandboxBroken('The plugin used too much processor time.')
    if (isFlooding) throw new SandboxBroken(flooded)
    return result
  }
  const unwrap = (result: ReturnType<QuickJSContext['evalCode']>): QuickJSHandle => {
    if (!result.error) return result.value
    throw problemOf(result.error)
  }
  const module = (code: string, name: string): QuickJSHandle =>
    entered(() => {
      const value = unwrap(context.evalCode(code, name, { type: 'module' }))
      drain(runtime, () => isInterrupted || cpuMs() > deadline)
      const state = context.getPromiseState(value)
      if (state.type === 'fulfilled') return state.value
      if (state.type === 'rejected') throw problemOf(state.error)
      throw new Error('A plugin must not wait at its top level; do that in a method.')
    })
  const call = (fn: QuickJSHandle, ...args: QuickJSHandle[]): QuickJSHandle =>
    entered(() => unwrap(context.callFunction(fn, context.undefined, ...args)))

  const own = module(ownSource('main.ts'), 'main.ts')
  const sendChecked = (text: string): void => {
    if (text.length > limits.messageBytes) throw new Error('The message is too large.')
    messages += 1
    length += text.length
    // Its own end couldn't be sent either, and its caller would wait for it: the sandbox ends.
    isFlooding ||= messages > limits.entryMessages || length > limits.entryLength
    if (isFlooding) throw new Error(flooded)
    send(text.replaceAll('\n', ' '))
  }
  call(context.getProp(own, 'start'), hostObject(context, sendChecked))
  mayImport = false
  const plugin = module(toJavaScript(source), 'plugin.ts')
  const facts = context.getString(call(context.getProp(own, 'open'), plugin, context.newString(valves)))
  const receive = context.getProp(own, 'receive')
  return {
    facts,
    receive: (text) => {
      try {
        const message = context.newString(text)
        call(receive, message).dispose()
        message.dispose()
      } catch (problem) {
        if (isFlooding) throw new SandboxBroken(flooded)
        // Our own code in the sandbox lets nothing through: what arrives here is an exhausted memory or worse.
        if (problem instanceof SandboxBroken) throw problem
        throw new SandboxBroken(`The plugin failed: ${(problem as Error).message}`)
      }
    },
  }
}

const flooded = 'The plugin sent too much at once.'

const jobsAtOnce = 200

const drain = (runtime: QuickJSRuntime, isOver: () => boolean): void => {
  while (runtime.hasPendingJob()) {
    const done = runtime.executePendingJobs(jobsAtOnce)
    if (isOver()) throw new SandboxBroken('The plugin used too much processor time.')
    if (done.error) {
      const found = done.error.context.dump(done.error) as { message?: string }
      throw new SandboxBroken(`The plugin failed: ${found?.message ?? 'it ran out of memory'}`)
    }
  }
}
