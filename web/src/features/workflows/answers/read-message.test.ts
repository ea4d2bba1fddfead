import { expect, it } from 'vitest'
import { readMessage } from './read-message.ts'

it('splits text into paragraphs and keeps line breaks', () => {
  expect(readMessage('First\nline two\n\n \nSecond\n')).toEqual({
    kind: 'prose',
    paragraphs: ['First\nline two', 'Second'],
  })
})

it('recognizes a JSON value, but not text that only starts like one', () => {
  expect(readMessage(' {"a": [1]} ')).toEqual({ kind: 'value', value: { a: [1] } })
  expect(readMessage('[draft] please look')).toEqual({ kind: 'prose', paragraphs: ['[draft] please look'] })
})
