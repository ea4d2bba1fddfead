import { expect, it } from 'vitest'
import { runInput } from './run-input.ts'

it('finds the input of a run by its trigger', () => {
  expect(runInput({ input: { _event: { id: 'e' } } })).toEqual({ label: 'Event', value: { id: 'e' } })
  expect(runInput({ input: { input: [1] } })).toEqual({ label: 'Input', value: [1] })
  expect(runInput({ input: {} })).toEqual({ label: 'Input', value: {} })
  expect(runInput({ input: null })).toEqual({ label: 'Input', value: null })
})
