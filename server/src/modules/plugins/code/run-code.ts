/**
 * Code that people and models write: the body of one function, run once in a sandbox of its own, without network. Its
 * processes are others than those of plugins, so that code of a tenant can't cost an administrator's plugin a call.
 */
import type { Kernel } from '#kernel/kernel.ts'
import { aloneOnMachine, type Machine } from '#kernel/process/machine.ts'
import type { CodeProblem, CodeRequest, RunCode } from '#kernel/run-code.ts'
import { createMachinePlaces } from '#kernel/turns/machine-places.ts'
import { createTurns, turnsIn } from '#kernel/turns/turns.ts'
import { PluginFailure, type PluginRuntime } from '../runtime/index.ts'

interface Needs extends Pick<Kernel, 'ids' | 'clock'> {
  runtime: PluginRuntime
  machine?: Machine
}

/** Each call has a process of its own, and code may sleep in it, so only so many run at once on a machine. */
export const mostCodeAtOnce = 8
/** What hangs keeps its process until it is ended: half stays for the others. */
const mostOfOneTenant = 4
/** So long a tenant whose code ran into its time limit has one place: what hangs takes a core as well. */
const slowForMs = 60_000

export const createRunCode = ({ runtime, ids, clock, machine = aloneOnMachine }: Needs): RunCode => {
  const slow = new Map<string, number>()
  const isSlow = (tenant: string): boolean => (slow.get(tenant) ?? 0) > clock.now().getTime()
  const slowDown = (tenant: string): void => {
    for (const one of slow.keys()) if (!isSlow(one)) slow.delete(one)
    slow.set(tenant, clock.now().getTime() + slowForMs)
  }
  const perOwner = (tenant: string): number => (isSlow(tenant) ? 1 : mostOfOneTenant)
  /** Here first, where it is known whose code was late. */
  const takeTurn = createTurns({ atOnce: mostCodeAtOnce, perOwner })
  const rule = { most: mostCodeAtOnce, perTenant: mostOfOneTenant }
  const takeMachineTurn = turnsIn(createMachinePlaces(machine, 'code', rule))
  return async (request) => {
    const endTurn = await takeTurn(request.tenantId, request.signal)
    let endMachineTurn: (() => void) | undefined
    try {
      endMachineTurn = await takeMachineTurn(request.tenantId, request.signal)
      const outcome = await runOnce({ runtime, ids }, request)
      if (outcome.kind === 'problem' && outcome.reason === 'timeout') slowDown(request.tenantId)
      return outcome
    } finally {
      endMachineTurn?.()
      endTurn()
    }
  }
}

const runOnce = async (
  { runtime, ids }: Omit<Needs, 'clock'>,
  { ownerId, code, args, wallMs, signal, onLog }: CodeRequest,
): ReturnType<RunCode> => {
  const values = sendable(Object.values(args))
  if (values === undefined)
    return { kind: 'problem', reason: 'limit', message: 'The code gets more than 8 MB of data.', line: null }
  const source = { id: ownerId, version: ids.next(), source: wrap(code, Object.keys(args)), valves: '{}' }
  try {
    const outcome = await runtime.call(
      { ...source, isSingleUse: true },
      {
        target: 'Tools',
        method: 'run',
        args: [values],
        helpers: {},
        answer: async () => Promise.reject(new Error('There is no network here.')),
        onEmit: () => undefined,
        onLog: ({ text }) => onLog(text),
        signal,
        wallMs,
      },
    )
    const { value } = (outcome.kind === 'value' ? outcome.value : {}) as { value?: unknown }
    return { kind: 'value', value }
  } catch (problem) {
    if (!(problem instanceof PluginFailure)) throw problem
    return problemOf(problem)
  }
}

/** On one line with the code's first, so that lines keep their numbers. The object keeps a generator a value. */
const wrap = (code: string, names: readonly string[]): string =>
  `export class Tools { async run(args) { return { value: await (async (${names.join(', ')}) => {${code}\n})(...args) } } }`

/** In characters, roughly. It is written and read on the server's thread, so it is bounded before. */
const maxSent = 8 * 1024 * 1024

/**
 * JavaScript's own JSON would round integers of more than 15 digits; as text they keep them. Undefined when it is too much,
 * which is found out without copying more than that.
 */
const sendable = (values: readonly unknown[]): unknown[] | undefined => {
  let left = maxSent
  const copy = (value: unknown): unknown => {
    left -= typeof value === 'string' ? value.length + 2 : 8
    if (left < 0) return undefined
    if (typeof value === 'bigint') return String(value)
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(copy)
    const entries = Object.entries(value).map(([key, one]) => {
      left -= key.length
      return [key, copy(one)]
    })
    return Object.fromEntries(entries)
  }
  const copies = values.map(copy)
  return left < 0 ? undefined : copies
}

const problemOf = ({ code, message, trace = '' }: PluginFailure): CodeProblem => {
  const line = /plugin\.ts:(\d+)/.exec(trace)?.[1]
  return {
    kind: 'problem',
    reason: reasonOf(code, trace),
    message: message.replace(/^The plugin\b/, 'The code').replace(/ \(line \d+\)$/, ''),
    line: line === undefined ? null : Number(line),
  }
}

const reasonOf = (code: PluginFailure['code'], trace: string): CodeProblem['reason'] => {
  if (code === 'timeout' || code === 'interrupted') return code
  if (/^\w+: out of memory/.test(trace)) return 'limit'
  if (code === 'threw') return 'threw'
  return trace.startsWith('SyntaxError') ? 'syntax' : 'limit'
}
