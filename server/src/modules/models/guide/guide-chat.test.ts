/** A fresh start, without any connection: there is somebody to talk to. */
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { sharedApp } from '#test/harness/shared-app.ts'

const app = await sharedApp()
const ana = await app.user()
const openai = new OpenAI({ baseURL: `${app.url}/api`, apiKey: ana.token, maxRetries: 0 })
const messages = [{ role: 'user' as const, content: 'How do I connect a model?' }]

describe('a fresh start', () => {
  it('lists the guide, and nothing else', async () => {
    expect((await ana.get('/api/models')).body.data).toMatchObject([
      { id: 'guide', name: 'Guide', owned_by: 'chancery', connection_type: 'internal' },
    ])
  })

  it('can be chatted with, at one go and piece by piece', async () => {
    const { choices, usage } = await openai.chat.completions.create({ model: 'guide', messages })
    const text = choices[0]?.message.content ?? ''
    expect(text).toContain('Connections')
    expect(usage?.completion_tokens).toBeGreaterThan(0)
    let streamed = ''
    let pieces = 0
    for await (const chunk of await openai.chat.completions.create({ model: 'guide', messages, stream: true })) {
      streamed += chunk.choices[0]?.delta.content ?? ''
      pieces += 1
    }
    expect(streamed).toBe(text)
    expect(pieces).toBeGreaterThan(20)
  })
})
