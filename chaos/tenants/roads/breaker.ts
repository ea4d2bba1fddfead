import { flood, type Road } from './road.ts'

export const breaker: Road = {
  name: 'breaker',
  rows: '17',
  what: 'prompts that the shared model answers with an error frame',
  prepare: async ({ newAttacker }) => {
    const eve = await newAttacker()
    const messages = [{ role: 'user', content: 'BREAK' }]
    const ask = () => eve.post('/api/chat/completions', { model: 'swift', stream: true, messages })
    return { run: (signal) => flood(signal, 4, ask) }
  },
}
