import { expect, it } from 'vitest'
import { rowProblems } from './row-problems.ts'

it('says what is wrong with each column of a row once, as people write it', () => {
  const found = [
    'The row has more cells than the header.',
    'Tenant email: Invalid email address',
    'Tenant name: must not be empty',
    'Tenant name: must hold a visible character',
  ]
  expect(rowProblems(found)).toEqual([
    'The row has more cells than the header.',
    'Tenant email: Enter a valid email.',
    'Tenant name: Enter a value.',
  ])
})
