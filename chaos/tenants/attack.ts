/** Starts and ends the attack of a road in its thread. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

export interface AttackData {
  roadName: string
  addresses: readonly string[]
  databaseUrl: string
  model: string
  hostile: string
  ownerHeaders: Record<string, string>
  network: string
}

export interface AttackReport {
  /** What the attackers got, each with how often. */
  answers: string[]
  breaches: string[]
  /** The ids of their accounts. */
  attackers: string[]
}

/** Everything is ready; `begin` attacks. */
export const prepareAttack = async (data: AttackData) => {
  const thread = new Worker(new URL('./attack-thread.ts', import.meta.url), { workerData: data })
  const failed = once(thread, 'error').then(([problem]) => Promise.reject(problem as Error))
  failed.catch(() => undefined)
  const next = async () => (await Promise.race([once(thread, 'message'), failed]))[0] as unknown
  await next()
  return {
    begin: () => thread.postMessage('begin'),
    end: async (): Promise<AttackReport> => {
      thread.postMessage('end')
      const report = (await next()) as AttackReport
      await thread.terminate()
      return report
    },
  }
}
