import { describe, expect, it } from 'vitest'
import { mentionIn, withoutMention } from './mention.ts'

describe('a mention', () => {
  it('is a hash and a word at the end of the text', () => {
    expect(['#', 'see #hand', '# Title', 'C#', 'a #b c', '##'].map(mentionIn)).toEqual([
      '',
      'hand',
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })

  it('leaves the text when it is taken', () => {
    expect(withoutMention('What does #hand')).toBe('What does ')
  })
})
