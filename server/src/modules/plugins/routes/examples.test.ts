/** The plugins that come with Chancery, saved and run as they are. */
import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { framesIn } from '#test/harness/chat.ts'
import { startModelProvider } from '#test/peers/model-provider.ts'

const provider = await startModelProvider({ models: ['swift'] })
const app = await testApp({ env: { COMPAT_API_BASE_URL: provider.url } })
const owner = await app.platformOwner()
const path = '/api/chat/completions'
const lastSent = () => provider.calls().at(-1)?.body

describe('the examples', () => {
  it('are listed with their source, which can be saved as it is', async () => {
    const { items } = (await owner.get('/api/v1/functions/examples')).body
    expect(items.map(({ id }: { id: string }) => id)).toEqual(
      expect.arrayContaining(['form_tool', 'http_tool', 'pii_mask', 'research_pipe', 'token_budget']),
    )
    for (const { id, name, content } of items) {
      const tree = /export class Tools/.test(content) ? 'tools' : 'functions'
      expect(await owner.post(`/api/v1/${tree}/create`, { id, name, content })).toMatchObject({ status: 201 })
    }
  })

  it('mask personal data on its way to the model and back', async () => {
    const ana = await app.user()
    await owner.post('/api/v1/functions/id/pii_mask/toggle')
    provider.script({ chunks: ['I wrote to [EMA', 'IL_1] for you.'] })
    const asked = [{ role: 'user', content: 'Write to ana@example.test, please.' }]
    const reply = await ana.post(path, { model: 'swift', messages: asked, stream: true, filter_ids: ['pii_mask'] })
    expect(lastSent().messages).toEqual([{ role: 'user', content: 'Write to [EMAIL_1], please.' }])
    const text = framesIn(reply.text).map((frame) => frame.choices?.[0]?.delta?.content ?? '')
    expect(text.join('')).toBe('I wrote to ana@example.test for you.')
  })
})
