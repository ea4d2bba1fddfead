import { expect, it } from 'vitest'
import { questionOf } from './question.ts'

it.each([
  ['confirmation', { title: 'Send?' }, { kind: 'confirmation', title: 'Send?', message: '' }],
  ['confirmation', null, { kind: 'confirmation', title: 'A tool has a question' }],
  ['input', { value: 7, placeholder: 'Name' }, { kind: 'text', value: '7', placeholder: 'Name' }],
  ['input', { type: 'password', options: ['a'] }, { kind: 'password' }],
  [
    'input',
    { type: 'select', options: ['a', { value: 'b', label: 'B' }] },
    {
      kind: 'select',
      options: [
        { value: 'a', label: 'a' },
        { value: 'b', label: 'B' },
      ],
    },
  ],
  ['input', { type: 'select', options: [] }, { kind: 'text' }],
])('reads the question %s %j', (type, data, expected) => {
  expect(questionOf(type, data)).toMatchObject(expected)
})

it('takes nothing else for a question', () => {
  expect(questionOf('execute', { code: '1' })).toBeUndefined()
})
