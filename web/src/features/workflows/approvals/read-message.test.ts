import { expect, it } from 'vitest'
import { readMessage } from './read-message.ts'

it('reads prose by its paragraphs, and keeps their lines', () => {
  expect(readMessage('First\nline two\n\n \nSecond\n')).toEqual({
    kind: 'prose',
    paragraphs: ['First\nline two', 'Second'],
  })
})

it('reads a value that a template put in, and not what only begins like one', () => {
  expect(readMessage(' {"a": [1]} ')).toEqual({ kind: 'value', value: { a: [1] } })
  expect(readMessage('[draft] please look')).toEqual({ kind: 'prose', paragraphs: ['[draft] please look'] })
})
