/** Asks nodes whether they are ready, as a load balancer does. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ChaosNode } from '../node.ts'

export interface Balancer {
  /** Of nodes that said so when they were last asked. */
  addresses(): string[]
  close(): Promise<void>
}

const everyMs = 250
const patienceMs = 2000

const isReady = async (address: string): Promise<boolean> => {
  try {
    const reply = await fetch(`${address}/ready`, { signal: AbortSignal.timeout(patienceMs) })
    await reply.body?.cancel()
    return reply.ok
  } catch {
    return false
  }
}

export const watchReady = (nodes: readonly Pick<ChaosNode, 'address'>[]): Balancer => {
  const ready = new Map<Pick<ChaosNode, 'address'>, string>()
  let isOver = false
  const watch = async (node: Pick<ChaosNode, 'address'>): Promise<void> => {
    while (!isOver) {
      const address = node.address()
      if (address !== undefined && (await isReady(address))) ready.set(node, address)
      else ready.delete(node)
      await sleep(everyMs)
    }
  }
  const watching = nodes.map(watch)
  return {
    addresses: () => [...ready.values()],
    close: async () => {
      isOver = true
      await Promise.all(watching)
    },
  }
}
