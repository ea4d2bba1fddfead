import { chain, makePublished, workflowsPath } from '../../../server/test/harness/workflows.ts'
import { expectOk } from '../../accounts.ts'
import { flood, type Road } from './road.ts'

const triggers = 150
/** A native search whose cost is the product of both lengths. */
const search = 'len(payload["t"].rsplit(payload["s"], 1))'
/** Almost the whole budget of an evaluation; it holds. */
const costly = 'sum(1 for a in range(45) for b in range(45))'
const payload = { t: 'a'.repeat(120_000), s: `${'a'.repeat(60_000)}b` }

export const filters: Road = {
  name: 'filters',
  rows: '2',
  what: `events to ${2 * triggers} triggers: half with a search through 180,000 characters, half with the whole budget`,
  prepare: async ({ newAttacker }) => {
    const eve = await newAttacker()
    const { id } = await makePublished(eve, chain('a'))
    for (let index = 0; index < triggers; index += 1)
      for (const filter of [search, costly]) {
        const trigger = { name: `t${index}`, event_type: 'hostile', filter_expr: `${filter} == -${index + 1}` }
        await expectOk('a trigger', eve.post(`${workflowsPath}/${id}/triggers/event`, trigger))
      }
    const event = { event_type: 'hostile', payload }
    return {
      run: (signal) => flood(signal, 2, () => eve.post('/api/v1/events/ingest', event, { 'x-api-key': eve.key })),
    }
  },
}
