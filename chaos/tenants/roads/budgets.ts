import { setTimeout as sleep } from 'node:timers/promises'
import { bearer } from '../../../server/test/harness/client.ts'
import { makePublished, node, workflowsPath } from '../../../server/test/harness/workflows.ts'
import { expectOk } from '../../accounts.ts'
import { flood, type Road } from './road.ts'

const budget = 5000
const completions = '/api/chat/completions'
const ask = (word: string) => ({ model: 'swift', messages: [{ role: 'user', content: word }] })

export const budgets: Road = {
  name: 'budgets',
  rows: '9',
  what: `calls for a hundred answers at once, and calls that nobody waits for, on a budget of ${budget} tokens`,
  prepare: async ({ addresses, newAttacker, owner, model }) => {
    const eve = await newAttacker()
    const limit = { subject_type: 'user', subject_id: eve.id, tokens_per_day: budget }
    await expectOk('a limit', owner.post('/api/v1/usage/limits', limit))
    // Limits reach the other node within a second.
    await sleep(2000)
    const abandon = async (turn: number): Promise<void> => {
      const asked = fetch(`${addresses[turn % addresses.length]}${completions}`, {
        method: 'POST',
        headers: { ...bearer(eve.token), 'content-type': 'application/json' },
        body: JSON.stringify({ ...ask('HANG'), max_tokens: 400, stream: true }),
        signal: AbortSignal.timeout(100),
      })
      await asked.then(
        (reply) => reply.text(),
        () => undefined,
      )
    }
    return {
      run: async (signal) => {
        const many = () => eve.post(completions, { ...ask('SPEND'), n: 100, max_tokens: 20 })
        await Promise.all([flood(signal, 10, many), flood(signal, 2, abandon)])
      },
      findBreaches: async () => {
        const said = Number(await (await fetch(`${model}/said`)).text())
        return said > budget ? [`a budget of ${budget} tokens let ${said} through`] : []
      },
    }
  },
}

const monthly = 1_000_000

export const lyingUsage: Road = {
  name: 'lying-usage',
  rows: '10',
  what: 'agents on a private catalog whose server reports 9e11 tokens',
  prepare: async ({ newAttacker, owner, hostile }) => {
    const boss = await newAttacker({ org: `Chaos ${Date.now()}` })
    const limit = { subject_type: 'organization', subject_id: boss.organizationId, tokens_per_month: monthly }
    await expectOk('a limit', owner.post('/api/v1/usage/limits', limit))
    const entry = { name: 'own', type: 'compat', url: `${hostile}/v1`, model_ids: ['lying'] }
    const catalog = await expectOk('a catalog', boss.post('/api/v1/catalogs', { name: 'Mine', entries: [entry] }))
    const say = node('say', { model: 'lying', retry: { max_attempts: 1 } }, 'agent')
    const { id } = await makePublished(boss, { nodes: [say], edges: [] })
    const start = () => boss.post(`${workflowsPath}/${id}/runs`, { input: 'hi', catalog_id: catalog.id })
    return {
      run: (signal) => flood(signal, 2, start),
      findBreaches: async () => {
        const { status, text } = await boss.post(completions, { ...ask('Hello'), max_tokens: 50 })
        return status === 200 ? [] : [`its organization can't ask any more: ${status} ${text.slice(0, 200)}`]
      },
    }
  },
}
