import { describe, expect, it } from 'vitest'
import { peopleFor, readPeople } from './role-people.ts'

const kim = { role: 'customer', name: 'Kim', email: '{{ input.email }}' }

describe('the people of a signature node', () => {
  it('are one for each role of the template, with what was typed before', () => {
    expect(peopleFor(['Seller', 'Customer'], [kim])).toEqual([
      { role: 'Seller', name: '', email: '' },
      { ...kim, role: 'Customer' },
    ])
  })

  it('of roles that the template lost are shown until they are removed, and go when another template is chosen', () => {
    expect(peopleFor(['Seller'], [kim], true)).toEqual([{ role: 'Seller', name: '', email: '' }, kim])
    expect(peopleFor(['Seller'], [kim])).toHaveLength(1)
  })

  it('are read from a draft that may contain anything', () => {
    expect(readPeople([null, 3, { role: 'A', name: 5 }])).toEqual([{ role: 'A', name: '', email: '' }])
    expect(readPeople('x')).toEqual([])
  })
})
