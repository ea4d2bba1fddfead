import { describe, expect, it } from 'vitest'
import { type Clothes, dress, type Fields } from './dress-request.ts'

const clerk: Clothes = { params: { temperature: 0.2, max_tokens: 50, think: true }, system: 'You are a clerk.' }
const plain: Clothes = { params: {}, system: null }
const user = { role: 'user', content: 'Hello' }

describe.each(Object.entries(dress))('a request to %s', (_name, put) => {
  it('stays as it is for a model without anything of its own', () => {
    const body: Fields = { model: 'x', messages: [user], prompt: 'Hello', options: { seed: 1 }, more: { of: 'it' } }
    expect(put(body, plain)).toEqual(body)
  })
})

describe('what a custom model brings', () => {
  it('goes under options and gives way to what the request says', () => {
    expect(dress.chat({ messages: [user], options: { temperature: 1 } }, clerk)).toEqual({
      messages: [{ role: 'system', content: 'You are a clerk.' }, user],
      options: { temperature: 1, num_predict: 50 },
      think: true,
    })
    expect(dress.completions({ messages: [user], temperature: 1 }, clerk)).toMatchObject({
      temperature: 1,
      max_tokens: 50,
    })
    expect(dress.responses({ input: 'x', max_output_tokens: 9 }, clerk)).toEqual({
      ...{ input: 'x', instructions: 'You are a clerk.', temperature: 0.2, max_output_tokens: 9 },
    })
  })

  it('comes before a system prompt of the request, as one text', () => {
    const both = 'You are a clerk.\n\nBe brief.'
    const system = { role: 'system', content: 'Be brief.' }
    expect(dress.chat({ messages: [system, user] }, clerk).messages).toEqual([{ role: 'system', content: both }, user])
    expect(dress.generate({ system: 'Be brief.' }, clerk).system).toBe(both)
    expect(dress.responses({ instructions: 'Be brief.' }, clerk).instructions).toBe(both)
    expect(dress.messages({ system: 'Be brief.' }, clerk).system).toBe(both)
    expect(dress.messages({ system: [{ type: 'text', text: 'Be brief.' }] }, clerk).system).toEqual([
      { type: 'text', text: 'You are a clerk.' },
      { type: 'text', text: 'Be brief.' },
    ])
  })

  it('leaves a raw prompt alone, and messages that are none', () => {
    expect(dress.generate({ raw: true, prompt: 'x' }, clerk)).not.toHaveProperty('system')
    expect(dress.chat({ messages: 'nonsense' }, clerk).messages).toEqual([
      { role: 'system', content: 'You are a clerk.' },
    ])
  })
})
