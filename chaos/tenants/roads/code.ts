import { makePublished, node, workflowsPath } from '../../../server/test/harness/workflows.ts'
import type { Account } from '../../accounts.ts'
import { type Field, flood, type Road } from './road.ts'

const startRuns = async (eve: Account, code: string) => {
  const { id } = await makePublished(eve, { nodes: [node('work', { code }, 'code')], edges: [] })
  return () => eve.post(`${workflowsPath}/${id}/runs`, {})
}

export const nativeLoops: Road = {
  name: 'native-loops',
  rows: '7',
  what: 'code that loops inside the engine, where no interrupt reaches it',
  victims: ['code'],
  prepare: async ({ newAttacker }) => {
    const start = await startRuns(await newAttacker(), 'return [].indexOf.call({ length: 2 ** 53 - 1 }, 1)')
    return { run: (signal) => flood(signal, 2, start) }
  },
}

/** Code that says too much fails at once, and doesn't use up its time. */
const findHung = async ({ db }: Field, scopeId: string): Promise<string[]> => {
  const runs = await db.selectFrom('runs').select('error').where('scopeId', '=', scopeId).execute()
  const hung = runs.filter(({ error }) => error?.includes('took longer than'))
  return hung.length === 0 ? [] : [`${hung.length} of ${runs.length} calls hung to their time limit`]
}

export const logFloods: Road = {
  name: 'log-floods',
  rows: '14',
  what: 'code that logs 2,000 lines in one turn',
  victims: ['code'],
  prepare: async (field) => {
    const eve = await field.newAttacker()
    const start = await startRuns(eve, 'for (let n = 0; n < 2000; n += 1) console.log("x".repeat(1000))')
    return {
      run: (signal) => flood(signal, 2, start),
      findBreaches: () => findHung(field, eve.id),
    }
  },
}
