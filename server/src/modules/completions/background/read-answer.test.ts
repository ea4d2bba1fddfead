import { describe, expect, it } from 'vitest'
import { readFollowUps, readTags, readTitle, titleFrom } from './read-answer.ts'

describe('the answer of a task model', () => {
  it.each([
    '{"title": "Noon in Lisbon"}',
    '```json\n{"title": "Noon in Lisbon"}\n```',
    '<think>{"title": "no"}</think>Gladly! {"title": "\\"Noon in Lisbon\\""} Anything else?',
  ])('is read out of %j', (text) => {
    expect(readTitle(text)).toBe('Noon in Lisbon')
  })

  it.each(['', 'Noon in Lisbon', '[]', '{"title": 7}', '{"title": {"a": 1}}', '{"title": "…"}', '{{{'])(
    'is nothing in %j',
    (text) => {
      expect(readTitle(text)).toBe('')
    },
  )

  it('holds a bounded list of short lines, none twice', () => {
    const many = Array.from({ length: 40 }, (_, index) => `Tag\n${index}`)
    expect(readTags(JSON.stringify({ tags: ['A', 'a', 7, '…', ...many] }))).toEqual(['a', 'tag 0', 'tag 1', 'tag 2'])
    expect(readFollowUps(JSON.stringify({ follow_ups: ['x'.repeat(1000)] }))[0]).toHaveLength(300)
  })
})

describe('a title without a model', () => {
  it('is how the conversation began, on one line and not too long', () => {
    expect(titleFrom('What is\nthe time?')).toBe('What is the time?')
    expect(titleFrom('word '.repeat(50))).toMatch(/^(word ){11}word…$/)
  })
})
