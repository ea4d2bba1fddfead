import { describe, expect, it } from 'vitest'
import { applyDefaults, type Fields, type ModelDefaults } from './model-defaults.ts'

const clerk: ModelDefaults = { params: { temperature: 0.2, max_tokens: 50, think: true }, system: 'You are a clerk.' }
const plain: ModelDefaults = { params: {}, system: null }
const user = { role: 'user', content: 'Hello' }

describe.each(Object.entries(applyDefaults))('a request to %s', (_name, put) => {
  it('stays as it is for a model without anything of its own', () => {
    const body: Fields = { model: 'x', messages: [user], prompt: 'Hello', options: { seed: 1 }, more: { of: 'it' } }
    expect(put(body, plain)).toEqual(body)
  })
})

describe('what a custom model brings', () => {
  it('goes under options and gives way to what the request says', () => {
    expect(applyDefaults.chat({ messages: [user], options: { temperature: 1 } }, clerk)).toEqual({
      messages: [{ role: 'system', content: 'You are a clerk.' }, user],
      options: { temperature: 1, num_predict: 50 },
      think: true,
    })
    expect(applyDefaults.completions({ messages: [user], temperature: 1 }, clerk)).toMatchObject({
      temperature: 1,
      max_tokens: 50,
    })
    expect(applyDefaults.responses({ input: 'x', max_output_tokens: 9 }, clerk)).toEqual({
      input: 'x',
      instructions: 'You are a clerk.',
      temperature: 0.2,
      max_output_tokens: 9,
    })
  })

  it('comes before a system prompt of the request, as one text', () => {
    const both = 'You are a clerk.\n\nBe brief.'
    const system = { role: 'system', content: 'Be brief.' }
    expect(applyDefaults.chat({ messages: [system, user] }, clerk).messages).toEqual([
      { role: 'system', content: both },
      user,
    ])
    expect(applyDefaults.generate({ system: 'Be brief.' }, clerk).system).toBe(both)
    expect(applyDefaults.responses({ instructions: 'Be brief.' }, clerk).instructions).toBe(both)
    expect(applyDefaults.messages({ system: 'Be brief.' }, clerk).system).toBe(both)
    expect(applyDefaults.messages({ system: [{ type: 'text', text: 'Be brief.' }] }, clerk).system).toEqual([
      { type: 'text', text: 'You are a clerk.' },
      { type: 'text', text: 'Be brief.' },
    ])
  })

  it('leaves a raw prompt alone, and messages that are none', () => {
    expect(applyDefaults.generate({ raw: true, prompt: 'x' }, clerk)).not.toHaveProperty('system')
    expect(applyDefaults.chat({ messages: 'nonsense' }, clerk).messages).toEqual([
      { role: 'system', content: 'You are a clerk.' },
    ])
  })
})
