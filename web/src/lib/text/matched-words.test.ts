import { describe, expect, it } from 'vitest'
import { fromMatch, matchedParts } from './matched-words.ts'

const marked = (text: string, question: string) =>
  matchedParts(text, question)
    .map(({ text: part, isMatch }) => (isMatch ? `[${part}]` : part))
    .join('')

describe('the words of a question in a passage', () => {
  it('are marked in every form, and common words are not', () => {
    expect(marked('The leaves: 30 days of Leave, each day.', 'How many days of leave do the 30 have?')).toBe(
      'The [leaves]: [30] [days] of [Leave], each [day].',
    )
    expect(marked('Nothing here.', 'What is it?')).toBe('Nothing here.')
  })

  it.each(['', 'x', 'a <b> & "c"', '(.*)+?[', 'naïve façade'])('leave the text as it is: %j', (text) => {
    expect(
      matchedParts(text, 'naïve (.*)+?[ b')
        .map((part) => part.text)
        .join(''),
    ).toBe(text)
  })

  it('are where a snippet begins, with some words before them', () => {
    const start = 'This chapter is about something else entirely. '.repeat(10)
    const text = `${start}An employee has thirty days of leave in each year.`
    const snippet = fromMatch(text, 'How many days of leave?')
    expect(snippet).toMatch(/^… \S/)
    expect(snippet.indexOf('thirty days of leave')).toBeLessThan(120)
    expect(text.endsWith(snippet.slice(2))).toBe(true)
    expect(fromMatch(text, 'Nothing of that')).toBe(text)
  })

  it('count most where most of them stand together', () => {
    const text = `Leave. ${'Other words follow here. '.repeat(40)}Days of leave are thirty.`
    expect(fromMatch(text, 'days of leave')).toContain('… ')
    expect(fromMatch(text, 'days of leave').length).toBeLessThan(150)
  })
})
