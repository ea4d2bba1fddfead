import { expect, it } from 'vitest'
import { givenTo } from './given.ts'

it('finds the input of a run by its trigger', () => {
  expect(givenTo({ input: { _event: { id: 'e' } } })).toEqual({ label: 'Event', value: { id: 'e' } })
  expect(givenTo({ input: { input: [1] } })).toEqual({ label: 'Input', value: [1] })
  expect(givenTo({ input: {} })).toEqual({ label: 'Input', value: {} })
  expect(givenTo({ input: null })).toEqual({ label: 'Input', value: null })
})
