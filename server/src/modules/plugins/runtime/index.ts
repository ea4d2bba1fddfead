/**
 * Runs plugin code: QuickJS in limited child processes that are shared by many plugins and many calls. README.md tells
 * what is enforced, and what a failure costs.
 */
import { availableParallelism } from 'node:os'
import type { Children } from '#kernel/child/index.ts'
import { aloneOnMachine, type Machine, partOf } from '#kernel/process/machine.ts'
import { PluginFailure } from './failures.ts'
import { createHost, type Host, type Started } from './host.ts'
import type { HostWorker } from './host-process.ts'
import type { CallOutcome, PluginCall, PluginCode } from './open-call.ts'
import type { tasks } from './plugins.worker.ts'

export { PluginFailure } from './failures.ts'
export type { CallOutcome, LogLine, PluginCall, PluginCode } from './open-call.ts'

export interface PluginRuntime {
  /** Loads the plugin and returns what it says about itself. Rejects with a `PluginFailure`. */
  describe(code: PluginCode): Promise<unknown>
  /** Rejects with a `PluginFailure`, or the signal's reason. */
  call(code: PluginCode, call: PluginCall): Promise<CallOutcome>
  /** Processes that run. */
  size(): number
  stop(): void
}

interface Options {
  children: Pick<Children, 'declare' | 'run'>
  machine?: Machine
  /** The name of its processes, which no other runtime shares. */
  name?: string
  /** How long one entry may block its host. */
  stuckMs?: number
  /**
   * So many hosts, each for one call at a time: code that hangs inside the engine, where nothing can interrupt it, keeps
   * nobody else waiting. For code of anybody; plugins share their hosts.
   */
  hostsOfOneCall?: number
  entryCpuMs?: number
  memoryMb?: number
}

const mebibyte = 1024 * 1024
/** Alone with others of its kind, so that it can't hurt those that behave. */
const quarantineMs = 600_000

export const createPluginRuntime = ({
  children,
  machine = aloneOnMachine,
  name = 'plugins',
  hostsOfOneCall,
  stuckMs = hostsOfOneCall === undefined ? 30_000 : 10_000,
  entryCpuMs = 2_000,
  memoryMb = 64,
}: Options): PluginRuntime => {
  const shared = partOf(machine, Math.min(4, Math.floor(availableParallelism() / 2)))
  const worker: HostWorker = children.declare<typeof tasks>({
    name,
    script: new URL('./plugins.worker.ts', import.meta.url),
    processes: 2 * (hostsOfOneCall ?? shared) + 2,
    isLasting: true,
    recycleAfter: 1,
    cancelGraceMs: 50,
    limits: { memoryMb: 1024, messageBytes: 32 * mebibyte },
  })
  const limits = {
    memoryBytes: memoryMb * mebibyte,
    entryCpuMs,
    entryMessages: 2_000,
    entryLength: 64 * mebibyte,
    messageBytes: 16 * mebibyte,
  }
  const hosts = new Map<string, Host>()
  const quarantined = new Map<string, number>()

  /** The first that nobody uses. Where all are in use, whose turn it was to start has been counted wrongly. */
  const freeSlot = (most: number): string => {
    const slots = Array.from({ length: most }, (_, number) => String(number))
    const isFree = (slot: string) => hosts.get(slot)?.isFree() ?? true
    return slots.find((slot) => hosts.get(slot)?.isFree()) ?? slots.find(isFree) ?? 'quarantine'
  }
  const slotOf = (id: string): string => {
    if (hostsOfOneCall !== undefined) return freeSlot(hostsOfOneCall)
    const until = quarantined.get(id) ?? 0
    if (until > performance.now()) return 'quarantine'
    quarantined.delete(id)
    let sum = 0
    for (const letter of id) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_521
    return String(sum % shared)
  }
  const hostFor = (id: string): Host => {
    const slot = slotOf(id)
    const known = hosts.get(slot)
    if (known) return known
    const host = createHost({
      children,
      worker,
      limits,
      stuckMs,
      ...(hostsOfOneCall === undefined ? {} : { cutMs: 1_000 }),
      onEnd: ({ culpritId, unstarted }) => {
        if (hosts.get(slot) === host) hosts.delete(slot)
        if (culpritId !== undefined) quarantined.set(culpritId, performance.now() + quarantineMs)
        for (const started of unstarted) again(started)
      },
    })
    hosts.set(slot, host)
    return host
  }
  /** A call that the lost process had not looked at yet is safe to repeat, once. */
  const again = ({ code, call, settle, isRepeated }: Started): void => {
    if (isRepeated)
      settle(Promise.reject(new PluginFailure('interrupted', 'The plugin process was restarted. Try again.')))
    else settle(hostFor(code.id).call(code, call, { isRepeated: true }))
  }

  return {
    // Loading has no effects, so it is safe to repeat, once.
    describe: (code) =>
      hostFor(code.id)
        .describe(code)
        .catch((problem: unknown) => {
          if (!(problem instanceof PluginFailure) || problem.code !== 'interrupted') throw problem
          return hostFor(code.id).describe(code)
        }),
    call: async (code, call) => {
      call.signal?.throwIfAborted()
      return hostFor(code.id).call(code, call)
    },
    size: () => hosts.size,
    stop: () => {
      for (const host of hosts.values()) host.stop()
    },
  }
}
