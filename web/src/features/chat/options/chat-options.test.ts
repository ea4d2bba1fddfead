import { describe, expect, it } from 'vitest'
import { isCustom, optionsFrom, optionsOf, requestParams, systemMessage } from './chat-options.ts'

describe('the options of a chat', () => {
  it('are read from what any client stored, without what makes no sense', () => {
    const options = optionsOf({ system: 'Be brief.', temperature: 'hot', top_p: 0.5, seed: 7, max_tokens: null })
    expect(requestParams(options)).toEqual({ top_p: 0.5 })
    expect(systemMessage(options)).toEqual([{ role: 'system', content: 'Be brief.' }])
    expect(isCustom(options)).toBe(true)
    expect(isCustom(optionsOf({ seed: 7 }))).toBe(false)
  })

  it('are written from the form, where an empty field clears', () => {
    expect(optionsFrom({ system: '  ', temperature: '0,2', top_p: '', max_tokens: ' 100 ' })).toEqual({
      system: null,
      temperature: 0.2,
      top_p: null,
      max_tokens: 100,
    })
  })
})
