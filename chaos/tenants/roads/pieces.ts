import { flood, type Road } from './road.ts'

export const pieces: Road = {
  name: 'pieces',
  rows: '13',
  what: 'replies of a model in 100,000 small pieces',
  prepare: async ({ newAttacker }) => {
    const eve = await newAttacker()
    let cut = 0
    const ask = async () => {
      const messages = [{ role: 'user', content: 'PIECES' }]
      const reply = await eve.post('/api/chat/completions', { model: 'hostile', stream: true, messages })
      if (reply.status === 200 && !reply.text.endsWith('data: [DONE]\n\n') && !reply.text.includes('"error"')) cut += 1
      return reply
    }
    return {
      run: (signal) => flood(signal, 3, ask),
      findBreaches: async () => (cut === 0 ? [] : [`${cut} replies were cut without an error frame`]),
    }
  },
}
