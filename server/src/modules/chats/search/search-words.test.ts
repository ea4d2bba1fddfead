import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readSearch } from './search-words.ts'

it('takes plain words, the last as a beginning', () => {
  expect(readSearch('quarterly rep')).toMatchObject({ query: "'quarterly' & 'rep':*", text: 'quarterly rep' })
})

it('takes filters out of the words, with quotes around names of several words', () => {
  expect(readSearch('tag:Work folder:"Big ideas" pinned:true archived:FALSE plan')).toEqual({
    query: "'plan':*",
    spaced: ['plan'],
    unspaced: [],
    text: 'plan',
    tags: ['Work'],
    folders: ['Big ideas'],
    pinned: true,
    archived: false,
  })
})

it('leaves a filter that makes no sense among the words', () => {
  expect(readSearch('pinned:maybe')).toMatchObject({ text: 'pinned:maybe' })
  expect(readSearch('pinned:maybe')).not.toHaveProperty('pinned')
})

it('gives quotes and backslashes no meaning', () => {
  expect(readSearch(`it's a\\b`).query).toBe(`'it''s' & 'a\\\\b':*`)
})

it('asks for nothing where there is no letter and no digit', () => {
  expect(readSearch(' !! & | ').query).toBe('')
})

it('never leaves a quote open, whatever is typed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (typed) => {
      const { query } = readSearch(typed)
      expect((query.match(/'/g) ?? []).length % 2).toBe(0)
    }),
  )
})
